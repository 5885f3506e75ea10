// The text has never been readable in this tab: all there is to do is to mend it.

import { Card } from "../ui";
import { PolicyText } from "./PolicyText";

export function Unreadable() {
  return (
    <Card title="The policy cannot be read yet" level={2} lead="Fix its text; everything else follows from it.">
      <PolicyText />
    </Card>
  );
}
