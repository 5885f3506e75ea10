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

/** Maps a value between 0 and `max` to a length. */
export function scale(max: number, length: number): (value: number) => number {
  return (value) => (max > 0 ? (value / max) * length : 0);
}
