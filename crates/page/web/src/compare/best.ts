// Which of several values are the best: the smallest, unless all are the same to the reader's eye.

/** The places of the best values; none where the values do not differ as they are written. */
export function best(values: ReadonlyArray<number | null>, format: (value: number) => string): Set<number> {
  const known = values.filter((value) => value !== null);
  const written = new Set(known.map((value) => format(value)));
  if (written.size < 2) return new Set();
  const least = format(Math.min(...known));
  return new Set(values.flatMap((value, index) => (value !== null && format(value) === least ? [index] : [])));
}
