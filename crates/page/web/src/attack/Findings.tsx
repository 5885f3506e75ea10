// What a reader of all releases finds out about the people of our table, in words and as two bars of the same scale.

import { count, percent } from "../format";
import type { AttackFinding } from "../protocol";
import { Coded } from "../ui";
import { shortName } from "./releases";

export function Findings({ findings, holds }: { findings: readonly AttackFinding[]; holds: boolean }) {
  const { tone, mark, text } = VERDICTS[verdictOf(findings, holds)];
  return (
    <>
      <p class={`attack-verdict ${tone}`} role="status">
        <strong>{mark}</strong> {text}
      </p>
      {findings.length === 0 && <p class="soft">None of them has a sensitive column of ours: there is nothing to intersect.</p>}
      <ul class="attack-findings">
        {findings.map((finding) => <li key={finding.column}><Finding finding={finding} /></li>)}
      </ul>
    </>
  );
}

const VERDICTS = {
  holds: { tone: "holds", mark: "✓ Holds.", text: "Beside these releases, ours protects its people as well as alone." },
  fails: {
    tone: "fails",
    mark: "✕ Does not hold.",
    text: "A reader who lays these releases beside ours learns values that ours alone would not give away.",
  },
  unknown: {
    tone: "unknown",
    mark: "! Cannot tell.",
    text: "Most of our people fit none of the groups of another release: its labels were probably misread, and what a reader learns from it is not known.",
  },
} as const;

/** What can be said of all findings: a failure that is sure comes before what cannot be told, and that before success. */
export function verdictOf(findings: readonly AttackFinding[], holds: boolean): keyof typeof VERDICTS {
  const misread = findings.some((finding) => finding.misread);
  if (!misread) return holds ? "holds" : "fails";
  return findings.some((finding) => !finding.misread && finding.breached > finding.alone) ? "fails" : "unknown";
}

function Finding({ finding }: { finding: AttackFinding }) {
  const more = finding.breached - finding.alone;
  return (
    <article class="attack-finding" aria-label={finding.column}>
      <h5>{finding.column} <span class="soft">in ours and {finding.releases.map(shortName).join(", ")}</span></h5>
      <p><Coded text={finding.summary} /></p>
      <dl class="attack-bars">
        <Row name="one value left by ours alone" value={finding.alone} of={finding.people} tone="alone" />
        <Row name="one value left by all together" value={finding.breached} of={finding.people} tone={more > 0 ? "breached" : "alone"} />
      </dl>
      {finding.elsewhere > 0 && (
        <p class={finding.misread ? "attack-misread" : "soft"}>
          {count(finding.elsewhere)} of {count(finding.people)} people fit no group of the others:{" "}
          {finding.misread ? "cannot tell. Look whether its values are spelled as ours are." : "about them the others say nothing."}
        </p>
      )}
    </article>
  );
}

function Row({ name, value, of, tone }: { name: string; value: number; of: number; tone: string }) {
  const share = of > 0 ? value / of : 0;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="attack-track" aria-hidden="true"><span class={`attack-fill ${tone}`} style={{ "--share": `${100 * share}%` }} /></span>
        <span class="attack-number">{count(value)} of {count(of)} people ({percent(share)})</span>
      </dd>
    </div>
  );
}
