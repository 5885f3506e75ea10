// Where other releases are dropped or chosen, and the list of those that are there.

import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, counted } from "../format";
import { dropped, forget, send, sending } from "../state";
import { Button, Progress, Problem } from "../ui";
import { TooMany, filesOfDrop, filesOfField } from "./drop";
import { type Arrived, FOLDER, type Found, arrived, recognize, shortName } from "./releases";

export function DropReleases() {
  const [over, setOver] = useState(false);
  const [note, setNote] = useState("");
  const take = async (reading: Promise<Found[]>) => {
    try {
      setNote(await takeOver(await reading));
    } catch (error) {
      setNote(error instanceof TooMany ? "That is more than 2,000 files: drop the release folders alone." : "The files could not be read; nothing was taken.");
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer !== null) void take(filesOfDrop(event.dataTransfer.items));
  };
  const hover = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div class={`attack-drop${over ? " is-over" : ""}`} onDrop={drop} onDragOver={hover} onDragLeave={() => setOver(false)}>
      <p>Drop release folders here (their <code>public/</code> is enough), or tables of any tool.</p>
      <div class="attack-choose">
        <Chooser label="Choose a release folder" folder onFiles={(files) => void take(filesIn(files))} />
        <Chooser label="Choose tables" onFiles={(files) => void take(filesIn(files))} />
      </div>
      <p class="attack-note" aria-live="polite">{note}</p>
    </div>
  );
}

/** What has arrived and what is on its way. */
export function ReleaseList({ releases }: { releases: readonly Arrived[] }) {
  const underway = sending.value.filter((entry) => entry.name.startsWith(FOLDER));
  return (
    <ul class="attack-list" aria-label="Releases to compare with ours">
      {releases.map((release) => (
        <li key={release.name}>
          <span class="attack-name">{shortName(release.name)}</span>
          <span class="soft">{counted(release.files.length, "file")}, {bytes(release.bytes)}</span>
          <Button small variant="quiet" aria-label={`Remove ${shortName(release.name)}`} onClick={() => void remove(release)}>
            Remove
          </Button>
        </li>
      ))}
      {underway.map((entry) => (
        <li key={entry.name} class="attack-underway">
          {entry.problem === null ? <Progress label={shortName(entry.name)} done={entry.done} /> : <Problem problem={entry.problem} />}
          <Button small variant="quiet" aria-label={`Forget ${shortName(entry.name)}`} onClick={() => void forget(entry.name)}>
            Forget
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Chooser({ label, folder, onFiles }: { label: string; folder?: boolean; onFiles: (files: FileList) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (folder) field.current?.setAttribute("webkitdirectory", "");
  }, [folder]);
  const chosen = (event: Event & { currentTarget: HTMLInputElement }) => {
    if (event.currentTarget.files !== null) onFiles(event.currentTarget.files);
  };
  return (
    <>
      <Button onClick={() => field.current?.click()}>{label}</Button>
      <input ref={field} type="file" multiple hidden aria-label={label} onChange={chosen} />
    </>
  );
}

async function filesIn(files: FileList): Promise<Found[]> {
  return filesOfField(files);
}

async function takeOver(found: readonly Found[]): Promise<string> {
  const taken = new Set(arrived(dropped.value).map((release) => shortName(release.name)));
  const { files, ignored } = recognize(found, taken);
  if (files.length === 0) return "No release and no table among these files. A release has a manifest.json in its public folder.";
  await send(files);
  return ignored > 0 ? `${counted(ignored, "file")} left alone: private, or no part of a release.` : "";
}

async function remove(release: Arrived): Promise<void> {
  for (const file of release.files) await forget(file);
}
