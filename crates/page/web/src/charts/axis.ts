// Axes: which values get a tick. Axes of counts and shares start at zero, so that lengths can be compared.

/** Round values from 0 to at least `max`, about `wanted` of them. */
export function ticks(max: number, wanted = 4): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const result = [];
  for (let index = 0; index <= Math.ceil(max / step - 1e-9); index += 1)
    result.push(Number((index * step).toPrecision(12)));
  return result;
}

/** A tick's share as per cent, with as many digits as the step between ticks needs: no two ticks read the same. */
export function tickPercent(share: number, step: number): string {
  const digits = digitsOf(step * 100);
  return `${share === 0 ? 0 : (share * 100).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`;
}

/** How many digits after the point write a number exactly; at most 9. */
export function digitsOf(value: number): number {
  for (let digits = 0; digits < 9; digits += 1) {
    const scaled = value * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 && Math.round(scaled) > 0) return digits;
  }
  return 9;
}

/** Maps a value between 0 and `max` to a length. */
export function scale(max: number, length: number): (value: number) => number {
  return (value) => (max > 0 ? (value / max) * length : 0);
}
