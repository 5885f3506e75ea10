// What was chosen about the frontier, kept while other steps are looked at.

import { signal } from "@preact/signals";
import type { Vary } from "../protocol";
import type { CostName, RiskName } from "./measures";

/** What varies. */
export const varied = signal<Vary>("k");
/** The values that were typed, by what varies. */
export const typed = signal<Partial<Record<Vary, string>>>({});
/** The methods; null for the policy's own. */
export const chosenMethods = signal<readonly string[] | null>(null);
/** What the chart shows to the right; null for what suits the run. */
export const riskShown = signal<RiskName | null>(null);
/** What it shows upwards. */
export const costShown = signal<CostName>("loss");
/** The point that is looked at. */
export const pointShown = signal<string | null>(null);
