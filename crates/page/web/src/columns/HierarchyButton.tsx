// How a column's values generalize, in a few words, and the button that opens the builder.

import type { HierarchyView } from "../protocol";
import { Button } from "../ui";
import type { ColumnEntry } from "./columnList";

/** Only what is published in groups, or compared by a distance, has a hierarchy. */
export function HierarchyButton({ entry, onBuild }: { entry: ColumnEntry; onBuild: () => void }) {
  if (entry.role !== "quasi-identifier" && entry.role !== "sensitive") return null;
  const words = hierarchyWords(entry.declared?.hierarchy ?? null);
  return (
    <Button small variant="quiet" disabled={entry.declared === null} onClick={onBuild} aria-label={`Hierarchy of ${entry.name}: ${words}`}>
      {words} …
    </Button>
  );
}

function hierarchyWords(hierarchy: HierarchyView | null): string {
  switch (hierarchy?.kind) {
    case undefined:
      return "no hierarchy";
    case "file":
      return `hierarchy: ${hierarchy.name}`;
    case "mask":
      return `mask ${hierarchy.digits}`;
    case "intervals":
      return `intervals ${hierarchy.widths.join(", ")}`;
    case "dates":
      return "dates";
    case "prefix":
      return `prefix ${hierarchy.lengths.join(", ")}`;
    case "bands":
      return `bands ${hierarchy.levels.map((bounds) => bounds.join(", ")).join(" / ")}`;
    case "age":
      return `age on ${hierarchy.at}`;
    case "template":
      return `template ${hierarchy.name}`;
  }
}
