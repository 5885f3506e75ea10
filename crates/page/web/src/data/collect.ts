// Files out of a drop or a file dialog, with the names they get: folders are walked, hidden files are left out, and the
// name of a folder that holds everything is left off, so that a policy in it finds its tables.

import type { Named } from "../state";

/** The files of a drop. Must be called while the drop is being handled; the browser forgets its items afterwards. */
export async function collectDrop(transfer: DataTransfer): Promise<Named[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return named([...transfer.files].map((file) => ({ name: file.name, file })));
  const found = await Promise.all(entries.map((entry) => walk(entry)));
  return named(found.flat());
}

/** The files of a file dialog. */
export function collectInput(files: FileList | null): Named[] {
  return named([...(files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
}

/** Whether a name looks like a table's. */
export function isTable(name: string): boolean {
  return /\.(csv|tsv|txt|parquet)(\.gz)?$/i.test(name);
}

/** Whether a name looks like a policy's. */
export function isPolicy(name: string): boolean {
  return /\.toml$/i.test(name);
}

async function walk(entry: FileSystemEntry): Promise<Named[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ name: entry.fullPath.replace(/^\//, ""), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inner: FileSystemEntry[] = [];
  // A reader hands out its entries in portions, the last one empty.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) break;
    inner.push(...portion);
  }
  return (await Promise.all(inner.map((one) => walk(one)))).flat();
}

function named(files: Named[]): Named[] {
  const visible = files.filter(({ name }) => !name.split("/").some((part) => part.startsWith(".")));
  const top = visible[0]?.name.split("/")[0];
  const shared = visible.every(({ name }) => name.includes("/") && name.split("/")[0] === top);
  return shared ? visible.map(({ name, file }) => ({ name: name.slice(name.indexOf("/") + 1), file })) : visible;
}
