// The page's frame: what is shown when, from the first connection to the work itself.

import { useEffect } from "preact/hooks";
import { connection } from "../api";
import { Welcome } from "../data/Welcome";
import { loaded, redo, started, undo } from "../state";
import { Toasts } from "../ui";
import { Header } from "./Header";
import { Locked } from "./Locked";
import { Notices } from "./Notices";
import { Rail } from "./Rail";
import { Work } from "./Work";
import "./shell.css";

export function App() {
  useEffect(() => {
    addEventListener("keydown", shortcuts);
    addEventListener("dragover", refuse);
    addEventListener("drop", refuse);
  }, []);
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        Skip to content
      </a>
      <Header />
      <Notices />
      <Content />
      <Toasts />
    </>
  );
}

function Content() {
  if (loaded.value) {
    return (
      <div class="frame">
        <Rail />
        <Work />
      </div>
    );
  }
  if (connection.value === "locked") return <Locked />;
  if (started.value === null) return <Connecting />;
  return <Welcome />;
}

function Connecting() {
  return (
    <main id="content" class="narrow" aria-busy="true">
      <h1 class="visually-hidden">mingle</h1>
      <p class="soft connecting">Connecting to the program…</p>
    </main>
  );
}

/** The address's fragment belongs to the token, so the link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  const content = document.getElementById("content");
  content?.setAttribute("tabindex", "-1");
  content?.focus();
}

/** A file that is dropped beside a place for it must not replace the page. */
function refuse(event: Event): void {
  event.preventDefault();
}

/** Undo and redo, except where text is typed: there the browser's own belong. */
function shortcuts(event: KeyboardEvent): void {
  const target = event.target;
  const typing =
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement &&
      target.type !== "range" &&
      target.type !== "radio" &&
      target.type !== "checkbox");
  if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo();
  else if ((key === "z" && event.shiftKey) || key === "y") redo();
  else return;
  event.preventDefault();
}
