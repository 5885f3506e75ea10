// Risk and loss over a range of parameters.

import type { PolicyView } from "../protocol";

export function Frontier(_props: { text: string; view: PolicyView; onUse: (text: string) => void }) {
  return null;
}
