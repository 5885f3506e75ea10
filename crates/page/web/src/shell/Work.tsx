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
      <main id="content" class={`work work-${now}`} key={now}>
        {now === "data" && <DataView />}
        {now === "columns" && <ColumnsView />}
        {now === "protection" && <ProtectionView />}
        {now === "compare" && <CompareView />}
        {now === "publish" && <Publish />}
        {answered && <AnswerPanel />}
        {now === "protection" && <Closer />}
      </main>
      {answered && <MiniAnswer />}
    </>
  );
}

function Publish() {
  const policy = view.value;
  if (policy === null) return <Unreadable />;
  return <PublishView text={text.value} view={policy} candidate={freshness.value === "final" ? current.value : null} />;
}
