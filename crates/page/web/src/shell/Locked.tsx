// The page was opened without the link that the program printed.

import { connect } from "../state";
import { Button, Card } from "../ui";

export function Locked() {
  return (
    <main id="content" class="narrow">
      <h1 class="visually-hidden">mingle</h1>
      <Card title={<>This page needs the link that the terminal printed</>} level={2}>
        <div class="stack">
          <p>
            <code>mingle serve</code> prints a link that ends in <code>#</code> and a long code. The code lets one
            browser in, once, so that nobody else on this machine or network can look at your tables.
          </p>
          <p>
            Copy the whole link into the address bar. If it was used already, press Enter in the terminal: the program
            prints another one.
          </p>
          <p>
            <Button onClick={() => void connect()}>Try again</Button>
          </p>
        </div>
      </Card>
    </main>
  );
}
