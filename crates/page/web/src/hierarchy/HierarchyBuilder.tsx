// Building a hierarchy for a column, or the order of a category: a rule or groups by hand on the left, and on the right
// what it does to the column's values, as the program says, after each change.

import { useMemo } from "preact/hooks";
import { useLatest } from "../latest";
import type { Edit } from "../protocol";
import { Button, Dialog, Problem } from "../ui";
import { Editor } from "./Editor";
import "./hierarchy.css";

/** All values of a column are asked for once, at the beginning. */
const ALL_VALUES = 20_000;

export interface HierarchyBuilderProps {
  /** The policy. */
  text: string;
  /** The column. */
  column: string;
  /** Called with the edits of the policy, and the hierarchy's file if it has one. */
  onApply: (edits: Edit[], file?: { name: string; content: string }) => void;
  /** Called when it is closed. */
  onClose: () => void;
}

export function HierarchyBuilder({ text, column, onApply, onClose }: HierarchyBuilderProps) {
  const aboutPolicy = useMemo(() => ({ text, edits: [] }), [text]);
  const aboutColumn = useMemo(() => ({ text, column, draft: { kind: "current" as const }, limit: ALL_VALUES }), [text, column]);
  const policy = useLatest("/api/policy", aboutPolicy);
  const values = useLatest("/api/hierarchy", aboutColumn);
  const problem = policy.problem ?? values.problem;
  const ready = policy.known !== null && values.known !== null && !policy.pending && !values.pending;
  const view = policy.known?.answer.view?.columns.find((one) => one.name === column) ?? null;
  return (
    <Dialog wide title={<>How <em>{column}</em> generalizes</>} onClose={onClose}>
      {problem !== null && (
        <Problem problem={problem} announce>
          <Button onClick={onClose}>Close</Button>
        </Problem>
      )}
      {problem === null && !ready && <p class="hierarchy-loading" role="status">Reading the column …</p>}
      {problem === null && ready && values.known !== null && (
        <Editor text={text} column={column} view={view} base={values.known.answer} onApply={onApply} onClose={onClose} />
      )}
    </Dialog>
  );
}
