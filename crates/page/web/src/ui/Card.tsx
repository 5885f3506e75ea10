// A sheet with a heading.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface CardProps {
  /** Its heading. */
  title?: ComponentChildren;
  /** The heading's level; 3 unless said otherwise. */
  level?: 2 | 3 | 4;
  /** A sentence under the heading. */
  lead?: ComponentChildren;
  /** Buttons at the right of the heading. */
  actions?: ComponentChildren;
  /** Further classes. */
  class?: string;
  children?: ComponentChildren;
}

export function Card({ title, level = 3, lead, actions, class: more = "", children }: CardProps) {
  const id = useId();
  const Heading = `h${level}` as "h2" | "h3" | "h4";
  return (
    <section class={`card ${more}`.trim()} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <header class="card-head">
          {title && <Heading id={id}>{title}</Heading>}
          {actions && <div class="card-actions">{actions}</div>}
        </header>
      )}
      {lead && <p class="card-lead">{lead}</p>}
      {children}
    </section>
  );
}
