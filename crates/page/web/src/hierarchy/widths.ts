// Widths of intervals, from fine to coarse, each a multiple of the one before so that intervals nest. Widths are exact
// decimals: 0.3 is a multiple of 0.1, which binary fractions would deny.

/** A decimal: `mantissa / 10^scale`. */
interface Decimal {
  mantissa: bigint;
  scale: number;
}

/** What is wrong with each width, in the words of its field; null where nothing is. */
export function widthProblems(widths: readonly string[]): (string | null)[] {
  const parsed = widths.map(parse);
  return parsed.map((width, i) => {
    if (width === null || width.mantissa <= 0n) return "a number above 0, such as 5 or 0.5";
    const before = i > 0 ? parsed[i - 1] : null;
    return before && before.mantissa > 0n ? nestingProblem(before, width) : null;
  });
}

/** A width that fits above the others: twice the last, or 5 where there is none. */
export function nextWidth(widths: readonly string[]): string {
  const last = parse(widths[widths.length - 1] ?? "");
  return last === null || last.mantissa <= 0n ? "5" : write({ ...last, mantissa: last.mantissa * 2n });
}

/** Three widths for numbers between two bounds, so that the finest makes about twenty intervals. */
export function defaultWidths(values: readonly string[]): string[] {
  const numbers = values.map(Number).filter((value) => Number.isFinite(value));
  const span = numbers.reduce((high, v) => Math.max(high, v), -Infinity) - numbers.reduce((low, v) => Math.min(low, v), Infinity);
  const finest = span > 0 && Number.isFinite(span) ? finestFor(span, values.every((value) => !value.includes("."))) : "5";
  const second = nextWidth([finest]);
  return [finest, second, nextWidth([second])];
}

/** The widths as the policy has them. Numbers that JSON would round are left to the policy's text. */
export function widthValues(widths: readonly string[]): number[] {
  return widths.map((width) => Number(width.trim()));
}

/** Of whole numbers an interval of one is no interval. */
function finestFor(span: number, whole: boolean): string {
  return niceAbove(whole ? Math.max(2, span / 20) : span / 20, whole);
}

function niceAbove(size: number, whole: boolean): string {
  const exponent = Math.floor(Math.log10(size));
  const steps: Decimal[] = [1n, 2n, 5n, 10n].map((digit) => shifted(digit, exponent));
  const fits = (step: Decimal) => Number(write(step)) >= size * 0.999 && (!whole || step.scale === 0);
  return write(steps.find(fits) ?? { mantissa: 1n, scale: 0 });
}

function shifted(digit: bigint, exponent: number): Decimal {
  if (exponent >= 0) return { mantissa: digit * 10n ** BigInt(exponent), scale: 0 };
  return digit === 10n ? { mantissa: 1n, scale: -exponent - 1 } : { mantissa: digit, scale: -exponent };
}

function nestingProblem(before: Decimal, width: Decimal): string | null {
  const scale = Math.max(before.scale, width.scale);
  const [small, large] = [atScale(before, scale), atScale(width, scale)];
  if (large > small && large % small === 0n) return null;
  const examples = [2n, 3n, 4n].map((times) => write({ ...before, mantissa: before.mantissa * times }));
  return `a multiple of the one before: ${examples.join(", ")} …`;
}

function atScale(value: Decimal, scale: number): bigint {
  return value.mantissa * 10n ** BigInt(scale - value.scale);
}

function parse(text: string): Decimal | null {
  const found = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text.trim());
  if (found === null) return null;
  const [, whole = "", fraction = ""] = found;
  return { mantissa: BigInt(whole + fraction), scale: fraction.length };
}

function write({ mantissa, scale }: Decimal): string {
  const digits = mantissa.toString().padStart(scale + 1, "0");
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  const trimmed = fraction.replace(/0+$/, "");
  return trimmed === "" ? whole : `${whole}.${trimmed}`;
}
