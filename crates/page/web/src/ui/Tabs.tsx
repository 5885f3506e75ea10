// Tabs: one panel of several, by the pattern that screen readers know (arrow keys move between tabs).

import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

interface TabsProps<T extends string> {
  /** What the tabs are about. */
  label: string;
  /** The tabs: value, text, and a badge behind it. */
  tabs: ReadonlyArray<{ value: T; label: ComponentChildren; badge?: ComponentChildren }>;
  /** The tab that is open. */
  value: T;
  /** Called with the tab to open. */
  onChange: (value: T) => void;
  /** The open tab's content. */
  children?: ComponentChildren;
}

export function Tabs<T extends string>({ label, tabs, value, onChange, children }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const go = (index: number) => {
    const next = tabs[(index + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next.value);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.value)}"]`)?.focus();
  };
  const keys = (event: KeyboardEvent, index: number) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} class="tab-list" ref={list}>
        {tabs.map((tab, index) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-tab={tab.value}
            class="tab"
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={(event) => keys(event, index)}
          >
            {tab.label}
            {tab.badge !== undefined && <span class="badge">{tab.badge}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} class="tab-panel" tabIndex={0}>
        {children}
      </div>
    </div>
  );
}
