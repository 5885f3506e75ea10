// Where files are dropped, or chosen by button: both ways do the same.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Named } from "../state";
import { Button, toast } from "../ui";
import { collectDrop, collectInput } from "./collect";

interface DropZoneProps {
  /** Called with the files. */
  onFiles: (files: Named[]) => void;
  /** Larger, for the empty page. */
  large?: boolean;
  /** Further buttons. */
  children?: ComponentChildren;
}

export function DropZone({ onFiles, large, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer === null) return;
    collectDrop(event.dataTransfer).then(onFiles, () => toast("The browser could not read what was dropped."));
  };
  const choose = (input: HTMLInputElement) => {
    const chosen = collectInput(input.files);
    input.value = "";
    if (chosen.length > 0) onFiles(chosen);
  };
  return (
    <div
      class={`drop${large ? " drop-large" : ""}${over ? " is-over" : ""}`}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p class="drop-text">{over ? "Let go to load" : "Drop tables here: one for each provider, or one for all"}</p>
      <p class="soft">CSV or Parquet, also gzipped; a folder, or a policy with its tables</p>
      <div class="drop-actions">
        <Button variant={large ? "primary" : "plain"} onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button onClick={() => folder.current?.click()}>Choose a folder</Button>
        {children}
      </div>
      <input
        ref={files}
        class="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files"
        onChange={(event) => choose(event.currentTarget)}
      />
      <input
        ref={folder}
        class="visually-hidden"
        type="file"
        multiple
        {...{ webkitdirectory: true }}
        tabIndex={-1}
        aria-label="Folder"
        onChange={(event) => choose(event.currentTarget)}
      />
    </div>
  );
}
