// Charts: small drawings of their own, with words for those who do not see them.

export { tickPercent, ticks } from "./axis";
export { Bars } from "./Bars";
export { type ColumnPoint, Columns } from "./Columns";
export { Histogram } from "./Histogram";
export { Legend, Mark, SHAPES, Scatter, type ScatterPoint } from "./Scatter";
export { Steps } from "./Steps";
