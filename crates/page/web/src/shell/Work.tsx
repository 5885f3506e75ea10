// The work itself: the view of a step, and beside it the answer where a change of the policy is felt.

import { AnswerPanel } from "../answer/AnswerPanel";
import { MiniAnswer } from "../answer/MiniAnswer";
import { ColumnsView } from "../columns/ColumnsView";
import { CompareView } from "../compare/CompareView";
import { DataView } from "../data/DataView";
import { Closer } from "../protection/Closer";
import { ProtectionView } from "../protection/ProtectionView";
import { Unreadable } from "../protection/Unreadable";
import { PublishView } from "../publish/PublishView";
import { current, freshness, text, view } from "../state";
import { step } from "./step";

export function Work() {
  const now = step.value;
  const answered = now === "columns" || now === "protection";
  return (
    <>
      <main id="content" class="work">
        {now === "data" && <DataView />}
        {answered && (
          <div class="beside">
            {now === "columns" ? <ColumnsView /> : <ProtectionView />}
            <AnswerPanel />
          </div>
        )}
        {now === "protection" && <Closer />}
        {now === "compare" && <CompareView />}
        {now === "publish" && <Publish />}
      </main>
      {answered && <MiniAnswer />}
    </>
  );
}

function Publish() {
  const policy = view.value;
  if (policy === null) return <Unreadable />;
  return (
    <>
      <h2 class="visually-hidden">Publish</h2>
      <PublishView text={text.value} view={policy} candidate={freshness.value === "final" ? current.value : null} />
    </>
  );
}
