// The tabs, what is set in each, and the program's answer to it. Changing tabs loses nothing; what is applied is the tab
// that is open.

import { useMemo, useState } from "preact/hooks";
import { useLatest } from "../latest";
import type { ColumnView, Edit, HierarchyAnswer } from "../protocol";
import { Button, Problem, Tabs } from "../ui";
import { Ages, Bands } from "./Bands";
import { CodeSystem, Prefix } from "./Codes";
import { Findings } from "./Findings";
import { Groups } from "./Groups";
import { LevelsTable } from "./LevelsTable";
import { Order } from "./Order";
import { Pasted } from "./Pasted";
import { Dates, Intervals, Mask } from "./Rules";
import { type Settings, type Way, draftOf, groupingOfLabels, outcomeOf, settingsOf, valuesOf, wayOf } from "./draft";
import { type Grouping, nameProblems } from "./grouping";

interface EditorProps {
  text: string;
  column: string;
  /** What the policy says about the column; null if it is not declared. */
  view: ColumnView | null;
  /** The column as the policy treats it now, with all its values. */
  base: HierarchyAnswer;
  onApply: (edits: Edit[], file?: { name: string; content: string }) => void;
  onClose: () => void;
}

const TABS: ReadonlyArray<{ value: Way; label: string }> = [
  { value: "bands", label: "Bands" },
  { value: "intervals", label: "Intervals" },
  { value: "prefix", label: "Prefix" },
  { value: "mask", label: "Mask" },
  { value: "dates", label: "Dates" },
  { value: "ages", label: "Ages" },
  { value: "template", label: "Code system" },
  { value: "pasted", label: "Pasted table" },
  { value: "groups", label: "Groups" },
  { value: "order", label: "Order" },
];

/** What the program calls each way. */
const KINDS = { bands: "bands", intervals: "intervals", prefix: "prefix", mask: "mask", dates: "dates", ages: "age", template: "template", pasted: "groups", groups: "table", order: "order" } as const;

/** Rests before the program is asked, in milliseconds: long enough for a digit more. */
const REST = 120;

export function Editor({ text, column, view, base, onApply, onClose }: EditorProps) {
  const [way, setWay] = useState<Way>(() => wayOf(view, base));
  const [settings, setSettings] = useState<Settings>(() => settingsOf(view, base));
  const { grouping, ...groups } = useGrouping(settings.grouping);
  const all: Settings = useMemo(() => ({ ...settings, grouping }), [settings, grouping]);
  const draft = useMemo(() => draftOf(way, all), [way, all]);
  const question = useMemo(() => (draft === null ? null : { text, column, draft, limit: null }), [text, column, draft]);
  const { known, problem, pending } = useLatest("/api/hierarchy", question, REST);
  const values = useMemo(() => valuesOf(base), [base]);
  const counts = useMemo(() => new Map(base.rows.map((row) => [row.labels[0] ?? "", row.count])), [base]);
  const current = useMemo(() => groupingOfLabels(base), [base]);
  const longest = useMemo(() => values.reduce((most, value) => Math.max(most, Array.from(value).length), 1), [values]);
  const set = (change: Partial<Settings>) => setSettings({ ...settings, ...change });
  const fresh = known !== null && !pending && draft !== null;
  // While settings are incomplete the last answer of this tab stays, dimmed.
  const answer = known !== null && known.question.draft.kind === KINDS[way] ? known.answer : null;
  const apply = () => {
    const { edits, file } = outcomeOf(column, way, all, fresh ? (known?.answer.file ?? null) : null);
    onApply(edits, file);
  };
  const refused = problem ?? (answer !== null && fresh ? answer.problem : null);
  // The order alone changes no label; groups along it do.
  const orderAlone = way === "order" && settings.sizes.trim() === "";
  const applicable = orderAlone ? base.column_kind === "category" : fresh && canApply(way, grouping, known.answer);
  return (
    <div class={`hierarchy way-${orderAlone ? "order-alone" : way}`}>
      <div class="hierarchy-set">
        <Tabs label="Ways to generalize" tabs={TABS} value={way} onChange={setWay}>
          {way === "bands" && <Bands levels={settings.bands} onChange={(bands) => set({ bands })} />}
          {way === "prefix" && <Prefix lengths={settings.lengths} onChange={(lengths) => set({ lengths })} />}
          {way === "ages" && <Ages at={settings.at} kind={base.column_kind} levels={settings.years} onDay={(at) => set({ at })} onChange={(years) => set({ years })} />}
          {way === "template" && <CodeSystem name={settings.template} onChange={(template) => set({ template })} />}
          {way === "pasted" && <Pasted lines={settings.lines} onChange={(lines) => set({ lines })} />}
          {way === "intervals" && <Intervals widths={settings.widths} onChange={(widths) => set({ widths })} />}
          {way === "mask" && <Mask digits={settings.digits} longest={longest} onChange={(digits) => set({ digits })} />}
          {way === "dates" && <Dates kind={base.column_kind} />}
          {way === "groups" && <Groups grouping={grouping} values={values} counts={counts} current={current} {...groups} />}
          {way === "order" && <Order order={settings.order} kind={base.column_kind} declared={(view?.order ?? null) !== null} sizes={settings.sizes} onSizes={(sizes) => set({ sizes })} onChange={(order) => set({ order })} onRemove={() => onApply([{ path: ["columns", column, "order"], value: null }])} />}
        </Tabs>
      </div>
      {!orderAlone && (
        <div class="hierarchy-effect">
          {refused !== null && <Problem problem={refused} />}
          {answer !== null && fresh && <Findings findings={answer.findings} />}
          {answer !== null ? <LevelsTable answer={answer} old={!fresh} /> : <p class="hierarchy-none">{draft === null ? "The levels appear here as soon as the settings are complete." : "Looking at the values …"}</p>}
        </div>
      )}
      <Foot column={column} way={way} gaps={!orderAlone && fresh ? (answer?.gaps ?? 0) : 0} declared={(view?.hierarchy ?? null) !== null} blocked={!applicable} onApply={apply} onRemove={() => onApply([{ path: ["columns", column, "hierarchy"], value: null }])} onClose={onClose} />
    </div>
  );
}

/** A hierarchy with gaps may be kept, to be finished later; one that is none may not. */
function canApply(way: Way, grouping: Grouping, answer: HierarchyAnswer): boolean {
  if (way === "groups" && nameProblems(grouping).size > 0) return false;
  return answer.problem === null;
}

interface FootProps {
  column: string;
  way: Way;
  gaps: number;
  declared: boolean;
  blocked: boolean;
  onApply: () => void;
  onRemove: () => void;
  onClose: () => void;
}

function Foot({ way, gaps, declared, blocked, onApply, onRemove, onClose }: FootProps) {
  const words = { bands: "Use these bands", intervals: "Use these intervals", prefix: "Use this prefix", mask: "Use this mask", dates: "Use dates", ages: "Use these ages", template: "Use this code system", pasted: "Use this table", groups: "Use these groups", order: "Use this order" }[way];
  return (
    <footer class="hierarchy-foot">
      {declared && way !== "order" && <Button variant="danger" onClick={onRemove}>Remove the hierarchy</Button>}
      <span class="hierarchy-fill" />
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" disabled={blocked} onClick={onApply}>{gaps > 0 ? `${words}, gaps and all` : words}</Button>
    </footer>
  );
}

/** A grouping with the steps that led to it. */
function useGrouping(initial: Grouping) {
  const [steps, setSteps] = useState<readonly Grouping[]>([initial]);
  const grouping = steps[steps.length - 1] ?? initial;
  const onChange = (next: Grouping) => next !== grouping && setSteps([...steps.slice(-100), next]);
  const onUndo = steps.length > 1 ? () => setSteps(steps.slice(0, -1)) : null;
  return { grouping, onChange, onUndo };
}
