// What some providers together would learn.

import type { Candidate } from "../protocol";

export function CoalitionExplorer(_props: { candidate: Candidate }) {
  return null;
}
