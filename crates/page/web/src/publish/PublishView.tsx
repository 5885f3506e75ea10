// Writing the release and the policy.

import type { Candidate, PolicyView } from "../protocol";

export function PublishView(_props: { text: string; view: PolicyView; candidate: Candidate | null }) {
  return null;
}
