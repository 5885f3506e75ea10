// The candidate beside other releases.

import type { Candidate } from "../protocol";

export function AttackView(_props: { text: string; candidate: Candidate | null; onUse: (text: string) => void }) {
  return null;
}
