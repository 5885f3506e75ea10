// Building a hierarchy for a column.

import type { Edit } from "../protocol";

interface HierarchyBuilderProps {
  /** The policy. */
  text: string;
  /** The column. */
  column: string;
  /** Called with the edits of the policy, and the hierarchy's file if it has one. */
  onApply: (edits: Edit[], file?: { name: string; content: string }) => void;
  /** Called when it is closed. */
  onClose: () => void;
}

export function HierarchyBuilder(_props: HierarchyBuilderProps) {
  return null;
}
