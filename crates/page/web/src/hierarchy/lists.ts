// Numbers and bounds as they are typed: separated by commas, semicolons or spaces. What they mean together is for the
// program to judge; here it only turns out whether there is something to ask about.

/** The parts of a typed list. */
export function parts(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== "");
}

/** Whole numbers from 1 on; null where something else stands there, or nothing. */
export function wholeNumbers(text: string): number[] | null {
  const found = parts(text);
  const whole = found.every((part) => /^[1-9]\d{0,8}$/.test(part));
  return whole && found.length > 0 ? found.map(Number) : null;
}

/** The levels that have bounds. Those that were left empty are no levels. */
export function boundLevels(levels: readonly string[]): string[][] {
  return levels.map(parts).filter((bounds) => bounds.length > 0);
}

/** Bounds as the policy has them: one list for one level, days as texts. */
export function boundValues(levels: readonly (readonly string[])[]): unknown[] {
  const lists = levels.map((bounds) => bounds.map(boundValue));
  return lists.length === 1 ? (lists[0] ?? []) : lists;
}

function boundValue(bound: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(bound) ? Number(bound) : bound;
}

/** Three bounds at round numbers, which cut numbers into four parts. */
export function defaultBounds(values: readonly string[]): string {
  const numbers = values.map(Number).filter((value) => Number.isFinite(value));
  if (numbers.length === 0) return "";
  const low = numbers.reduce((least, value) => Math.min(least, value), Infinity);
  const high = numbers.reduce((most, value) => Math.max(most, value), -Infinity);
  const width = niceBelow((high - low) / 4);
  const first = Math.floor(low / width) * width + width;
  return [0, 1, 2].map((step) => String(Number((first + step * width).toPrecision(12)))).join(", ");
}

/** 1, 2 or 5 times a power of ten. */
function niceBelow(size: number): number {
  if (!(size > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  const digit = size / power >= 5 ? 5 : size / power >= 2 ? 2 : 1;
  return digit * power;
}

/** Lengths for codes of which the longest has so many characters: the first three, then the first. */
export function defaultLengths(longest: number): string {
  return longest > 3 ? "3, 1" : longest > 1 ? String(longest - 1) : "1";
}
