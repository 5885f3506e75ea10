// Files out of a drop, folders included. The browser gives folders piece by piece; both the number of files and the depth
// are bounded, since a whole disk can be dropped by accident.

import type { Found } from "./releases";

const MOST_FILES = 2000;
const DEEPEST = 8;

/** Too many files for anything that is meant as a few releases. */
export class TooMany extends Error {}

/** All files of a drop. The entries must be taken at once: they are gone when the event is over. */
export async function filesOfDrop(items: DataTransferItemList): Promise<Found[]> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found: Found[] = [];
  for (const entry of entries) await collect(entry, 0, found);
  return found;
}

/** All files of a file field, with their folders if it was one for folders. */
export function filesOfField(files: FileList): Found[] {
  if (files.length > MOST_FILES) throw new TooMany();
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function collect(entry: FileSystemEntry, depth: number, found: Found[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    if (found.length > MOST_FILES) throw new TooMany();
    return;
  }
  if (depth === DEEPEST) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return;
    for (const child of part) await collect(child, depth + 1, found);
  }
}
