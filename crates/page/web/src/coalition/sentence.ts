// What a coalition learns, in sentences. They say who, what is taken out, which promises fall and what is certain; a
// sentence about nobody or about everybody is a sentence of its own.

import { count, counted, list } from "../format";
import type { Candidate, CoalitionAnswer, ShownCoalition } from "../protocol";

/** The members named up to this many; more are counted. */
const NAMED = 4;

/** Who they are: `P1 and P3`, or `7 providers`. */
export function who(members: readonly string[]): string {
  return members.length > NAMED ? counted(members.length, "provider") : list(members);
}

/** The sentence at the top. */
export function headline(candidate: Candidate, members: readonly string[], answer: CoalitionAnswer): string {
  if (answer.others === 0) return `${who(members)} hold every row: nobody is left whom they could learn about.`;
  const end = `${fallenPart(answer)} ${certainPart(candidate, answer)}`;
  if (members.length === 0) return `An outsider takes out nothing and sees the release as it is: ${end}.`;
  const many = members.length > 1;
  const subject = many ? `${who(members)} together take` : `${who(members)} takes`;
  return `${subject} out ${counted(answer.own, "row")} of ${many ? "their" : "its"} own: ${end}.`;
}

/** A coalition that is worth a look, and why. */
export interface Pick {
  name: string;
  members: string[];
}

/** The worst of one and of two that the program found, and everybody but the one with the fewest rows. */
export function quickPicks(candidate: Candidate): Pick[] {
  const providers = candidate.providers;
  const picks: Pick[] = [];
  const names = ["worst alone", "worst pair found"];
  names.forEach((name, i) => {
    const worst = worstOf(candidate.worst, i + 1);
    if (worst !== undefined && worst.members.length < providers.length) picks.push({ name, members: worst.members });
  });
  const fewest = [...providers].sort((a, b) => a.count - b.count)[0];
  if (fewest !== undefined && providers.length > 2) {
    const members = providers.filter((bar) => bar !== fewest).map((bar) => bar.label);
    picks.push({ name: `all but ${fewest.label}`, members });
  }
  return picks;
}

function worstOf(coalitions: readonly ShownCoalition[], size: number): ShownCoalition | undefined {
  return coalitions.find((coalition) => coalition.members.length === size);
}

function fallenPart(answer: CoalitionAnswer): string {
  // with t, entropy or shares, rows that stay in may break what taking out all of them does not
  if (answer.fallen === 0 && !answer.exact) {
    return "taking out all of their rows breaks no promise, though leaving some of them in might, and";
  }
  if (answer.fallen === 0) return answer.touched === 0 ? "every promise holds, and" : "every promise still holds for what is left, and";
  return `in ${answer.exact ? "" : "at least "}${counted(answer.fallen, "group")} with ${counted(answer.people, "person", "people")} of others a promise breaks, and`;
}

function certainPart(candidate: Candidate, answer: CoalitionAnswer): string {
  const sensitive = candidate.balance;
  const what = sensitive.length === 1 ? `the ${sensitive[0]?.column}` : "a sensitive value";
  if (answer.exposed === 0) return "nothing about anybody is known for sure";
  const people = answer.exposed === 1 ? "one other person" : `${count(answer.exposed)} other people`;
  return `the row or ${what} of ${people} is known for sure`;
}
