// How far something is. Screen readers hear the words when they change, not each per cent.

interface ProgressProps {
  /** What is being done, in a few words. */
  label: string;
  /** The share that is done, between 0 and 1; null where it is not known. */
  done: number | null;
  /** The label is there for screen readers only. */
  hideLabel?: boolean;
}

export function Progress({ label, done, hideLabel }: ProgressProps) {
  const percent = done === null ? undefined : Math.round(Math.min(1, Math.max(0, done)) * 100);
  return (
    <div class="progress">
      <span class={hideLabel ? "visually-hidden" : "progress-label"}>
        <span>{label}</span>
        {!hideLabel && percent !== undefined && <span class="progress-share">{percent} %</span>}
      </span>
      <div
        class={`progress-track${percent === undefined ? " is-unknown" : ""}`}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div class="progress-fill" style={{ "--done": `${percent ?? 0}%` }} />
      </div>
    </div>
  );
}
