// Which releases are among files that were dropped. A release is a folder with a manifest, or its `public/` alone; a
// table by itself counts too, whatever tool made it. Nothing of a folder called `private` is ever sent: the attack is
// that of a reader, who has what is public.

import { type Named, RELEASES } from "../state/files";

/** A file and where it stood, folders separated by `/`. */
export interface Found {
  path: string;
  file: File;
}

/** What was recognized: files under the names they get, and how many were left alone. */
export interface Recognized {
  files: Named[];
  /** Files that belong to no release and are no table, or are private. */
  ignored: number;
}

/** A release that has arrived, by the name under which the program knows it. */
export interface Arrived {
  name: string;
  files: string[];
  bytes: number;
}

/** Where releases are kept among the dropped files. */
export const FOLDER = RELEASES;

const TABLE = /\.(csv|tsv|parquet)(\.gz)?$/i;

/** Names the files of releases so that no release gets the name of one that is there. */
export function recognize(found: readonly Found[], taken: ReadonlySet<string>): Recognized {
  const open = found.filter(({ path }) => !folders(path).includes("private"));
  const roots = open.filter(({ path }) => path.split("/").at(-1) === "manifest.json").map(({ path }) => parent(path));
  const names = new Set(taken);
  const nameOf = new Map(roots.map((root) => [root, fresh(releaseName(root), names)]));
  const files: Named[] = [];
  for (const { path, file } of open) {
    const root = roots.filter((folder) => path.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0];
    if (root !== undefined) files.push({ name: `${FOLDER}${nameOf.get(root)}/public/${path.slice(root.length + 1)}`, file });
    else if (TABLE.test(path)) files.push({ name: `${FOLDER}${fresh(plain(path.split("/").at(-1) ?? path), names)}`, file });
  }
  return { files, ignored: found.length - files.length };
}

/** The releases among the files that have arrived. */
export function arrived(files: readonly { name: string; bytes: number }[]): Arrived[] {
  const found = new Map<string, Arrived>();
  for (const { name, bytes } of files) {
    if (!name.startsWith(FOLDER)) continue;
    const release = `${FOLDER}${name.slice(FOLDER.length).split("/")[0]}`;
    const before = found.get(release) ?? { name: release, files: [], bytes: 0 };
    found.set(release, { name: release, files: [...before.files, name], bytes: before.bytes + bytes });
  }
  return [...found.values()];
}

/** A release's name without the folder that all are in. */
export function shortName(name: string): string {
  return name.startsWith(FOLDER) ? name.slice(FOLDER.length) : name;
}

/** The folder above `public/`, or the folder itself where it has another name. */
function releaseName(root: string): string {
  const parts = root.split("/").filter((part) => part !== "");
  if (parts.at(-1) === "public") parts.pop();
  return plain(parts.at(-1) ?? "release");
}

function plain(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]/gu, "_").slice(-60).replace(/^[._-]+|\.+$/g, "");
  return safe === "" ? "release" : safe;
}

function fresh(wanted: string, taken: Set<string>): string {
  const dot = TABLE.exec(wanted)?.index ?? wanted.length;
  const [stem, end] = [wanted.slice(0, dot), wanted.slice(dot)];
  let name = wanted;
  for (let i = 2; taken.has(name); i++) name = `${stem}-${i}${end}`;
  taken.add(name);
  return name;
}

function folders(path: string): string[] {
  return path.split("/").slice(0, -1);
}

function parent(path: string): string {
  return folders(path).join("/");
}
