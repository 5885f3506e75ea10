// Numbers and lists as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A count: `45,222`. */
export function count(value: number): string {
  return whole.format(value);
}

/** A count with its word: `1 row`, `3 rows`. */
export function counted(value: number, word: string, plural = `${word}s`): string {
  return `${count(value)} ${value === 1 ? word : plural}`;
}

/**
 * A share as per cent. Nothing and everything are said only when they are meant: what is not quite 0 or 1 is never
 * rounded to it, since a promise hangs on the difference.
 */
export function percent(share: number, digits = 1): string {
  const step = 10 ** -digits;
  const value = share * 100;
  if (share > 0 && value < step) return `<${step} %`;
  if (share < 1 && value > 100 - step) return `>${100 - step} %`;
  if (share > 1) return `${count(value)} %`;
  return `${value.toFixed(share === 0 || share === 1 ? 0 : digits)} %`;
}

/** A number with a few significant digits. */
export function short(value: number, digits = 3): string {
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(digits)));
}

/** A size in bytes: `4.2 MB`. */
export function bytes(value: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Milliseconds as people say it: `43 ms`, `1.2 s`. */
export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
