// What the page knows. See the files of `state/` for what each part means.

export { tab } from "./api";
export {
  type Answer,
  type Freshness,
  answer,
  confirmRoles,
  current,
  failure,
  freshness,
  isWithout,
  planAgain,
  planGone,
  previous,
  running,
} from "./state/plan";
export {
  canRedo,
  canUndo,
  adopt,
  changedAt,
  close,
  edit,
  editable,
  loaded,
  problem,
  redo,
  replace,
  text,
  undo,
  view,
  wish,
} from "./state/policy";
export { type Named, RELEASES, type Sending, dropped, forget, largestUpload, send, sending } from "./state/files";
export { type Pin, baseline, canPin, isOfEarlierTables, pin, pinned, pins, reference, unpin } from "./state/pins";
export { profile, profileAgain, profileProblem, providers } from "./state/profile";
export { areConfirmed, awaitsConfirmation, mostUnconfirmed, quasiIdentifiers } from "./state/roles";
export { baseOf, holds } from "./state/saved";
export { dataVersion } from "./state/tables";
export { begin, connect, earlier, restoreEarlier, started } from "./state/session";
