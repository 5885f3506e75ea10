// The page's frame.

import { Toasts } from "../ui";

export function App() {
  return (
    <main>
      <h1>mingle</h1>
      <Toasts />
    </main>
  );
}
