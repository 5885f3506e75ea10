// The frontier: points that no other point beats. A point beats another if it is at most as high on both axes and lower
// on one; on both axes less is better. Points that are equal do not beat one another. Cost: O(n log n).

/** A place in the chart; less is better on both axes. */
export interface Place {
  x: number;
  y: number;
}

/** For each point whether no other beats it. */
export function onFrontier(points: readonly Place[]): boolean[] {
  const order = points.map((_, i) => i).sort((a, b) => ascending(points[a], points[b]));
  const kept = points.map(() => false);
  let lowest = Infinity;
  let last: Place | null = null;
  for (const i of order) {
    const point = points[i];
    if (point === undefined) continue;
    const equal = last !== null && last.x === point.x && last.y === point.y;
    if (point.y < lowest || equal) {
      kept[i] = true;
      [lowest, last] = [point.y, point];
    }
  }
  return kept;
}

function ascending(left: Place | undefined, right: Place | undefined): number {
  if (left === undefined || right === undefined) return 0;
  return left.x - right.x || left.y - right.y;
}
