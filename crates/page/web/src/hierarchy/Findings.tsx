// What `mingle hierarchy check` says about the hierarchy: what is wrong or weak, where, and never a value.

import type { HierarchyFinding } from "../protocol";

export function Findings({ findings }: { findings: readonly HierarchyFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="hierarchy-findings" aria-label="What a check finds">
      {findings.map((finding, index) => (
        <li key={index}>
          {finding.text}
          {finding.place !== null && !finding.text.includes(finding.place) && <span class="soft">, the first at {finding.place}</span>}
        </li>
      ))}
    </ul>
  );
}
