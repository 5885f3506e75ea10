// From files to a policy: sent, then proposed for, or opened if a policy is among them.

import { signal } from "@preact/signals";
import { call, problemOf } from "../api";
import type { ProblemView } from "../protocol";
import { tablesChanged } from "../state/tables";
import { type Named, adopt, loaded, planAgain, profileAgain, replace, send, text } from "../state";
import { go } from "../shell/step";
import { isPolicy, isTable } from "./collect";

/** Whether a policy is being made. */
export const proposing = signal(false);
/** Why none could be made. */
export const proposeProblem = signal<ProblemView | null>(null);

/** Takes files in. A policy among them is opened; on the empty page, tables get one proposed. */
export async function takeFiles(files: Named[]): Promise<void> {
  const policy = files.find(({ name }) => isPolicy(name));
  const arrived = await send(files.filter((one) => one !== policy));
  if (policy !== undefined) {
    await replace(await policy.file.text());
    go("protection");
  } else if (!loaded.value) {
    const tables = arrived.filter(isTable);
    if (tables.length > 0) await propose(tables);
  } else {
    // A table of the policy may have been replaced.
    planAgain();
    profileAgain(text.value);
  }
}

/** Makes a policy for dropped tables. */
export async function propose(files: string[], providerColumn: string | null = null): Promise<void> {
  await made(() => call("/api/propose", { files, provider_column: providerColumn }), "columns");
}

/** Loads the example. */
export async function example(): Promise<void> {
  const ask = async () => {
    const answer = await call("/api/example", {});
    // It brings tables of its own.
    tablesChanged();
    return answer;
  };
  await made(ask, "protection");
}

async function made(ask: () => ReturnType<typeof call<"/api/propose">>, then: "columns" | "protection"): Promise<void> {
  proposing.value = true;
  proposeProblem.value = null;
  try {
    adopt(await ask());
    go(then);
  } catch (error) {
    proposeProblem.value = problemOf(error);
  } finally {
    proposing.value = false;
  }
}
