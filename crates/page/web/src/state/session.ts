// How the page begins, and how it comes back after the program was away. The text is kept in the tab's own storage, so
// that neither a reload nor a stopped program loses what was typed.

import { effect, signal } from "@preact/signals";
import { Gone, Refused, connection, openSession, sessionKey, start as askStart } from "../api";
import type { Start } from "../protocol";
import { dropped, largestUpload } from "./files";
import { planAgain, startPlanning } from "./plan";
import { adopt, loaded, replace, resend, text } from "./policy";
import { profileAgain, startProfiling } from "./profile";
import { confirmedSets, mostUnconfirmed } from "./roles";
import { bases, holds } from "./saved";

/** What the program said first. */
export const started = signal<Start | null>(null);
/** A text that this tab held under an earlier run of the program, offered for restoring. */
export const earlier = signal<Held | null>(null);

/** What a tab keeps for itself. */
interface Held {
  /** Of the session. */
  key: string;
  text: string;
  /** What the tab last saw in files of policies. */
  bases?: Record<string, string>;
  /** The sets of quasi-identifiers that were confirmed. */
  confirmed?: readonly (readonly string[])[];
}

const STORED = "mingle.text";
const RETRY = 2000;

/** Begins: exchanges the link's token, asks for the start, and keeps text, plan and profile going. */
export async function begin(): Promise<void> {
  startPlanning();
  startProfiling();
  addEventListener("hashchange", () => void connect());
  await connect();
  effect(keep);
  effect(() => {
    if (connection.value === "gone") setTimeout(() => void connect(), RETRY);
  });
}

/** Tries to reach the program, with the token in the address if there is one. */
export async function connect(): Promise<void> {
  const before = connection.peek();
  try {
    await openSession();
    receive(await askStart());
  } catch (error) {
    if (error instanceof Gone || error instanceof Refused) {
      // The signal must change for the next attempt to be planned.
      if (error instanceof Gone && before === "gone") setTimeout(() => void connect(), RETRY);
      return;
    }
    throw error;
  }
}

/** Takes the offered text. */
export function restoreEarlier(): void {
  const found = earlier.value;
  earlier.value = null;
  if (found === null) return;
  bases.value = found.bases ?? {};
  confirmedSets.value = found.confirmed ?? [];
  void replace(found.text);
}

function receive(answer: Start): void {
  started.value = answer;
  dropped.value = answer.files;
  largestUpload.value = answer.largest_upload;
  mostUnconfirmed.value = answer.most_unconfirmed;
  if (loaded.peek()) return again();
  const held = stored();
  const same = held?.key === sessionKey();
  if (held !== null && same) {
    bases.value = held.bases ?? {};
    confirmedSets.value = held.confirmed ?? [];
    void replace(held.text);
  } else if (answer.policy !== null) {
    if (answer.policy_file !== null) holds(answer.policy_file, answer.policy.text);
    adopt(answer.policy);
  }
  if (held !== null && !same && held.text !== answer.policy?.text) earlier.value = held;
}

/** The program is back: everything that it forgot is asked for again. */
function again(): void {
  resend();
  planAgain();
  profileAgain(text.peek());
}

function keep(): void {
  const held: Held = { key: sessionKey(), text: text.value, bases: bases.value, confirmed: confirmedSets.value };
  if (held.text !== "") sessionStorage.setItem(STORED, JSON.stringify(held));
  else if (started.value !== null && earlier.value === null) sessionStorage.removeItem(STORED);
}

function stored(): Held | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "null") as Held | null;
  } catch {
    return null;
  }
}
