// Hierarchy files: one row for each value, the value first, then its labels from fine to coarse, one root last. Fields
// are separated by `;` (or by commas or tabs where the first line has no `;`) and may be quoted. Reading refuses what
// the program would refuse, and says at which line; a message never quotes a cell.

/** A row with the line that it began at. */
export interface FileRow {
  line: number;
  fields: string[];
}

/** The rows of a file, or why there are none. */
export type ParsedFile = { rows: FileRow[]; problem: null } | { rows: null; problem: string };

/** Reads a hierarchy file. All rows must have as many fields as the first, and at least two. */
export function parseHierarchy(text: string): ParsedFile {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const rows = splitRows(content, separatorOf(content));
  if (rows === null) return { rows: null, problem: "a quotation mark is opened and never closed" };
  const first = rows[0];
  if (first === undefined) return { rows: null, problem: "there are no rows" };
  if (first.fields.length < 2) return { rows: null, problem: "there is a single column: nothing to generalize to" };
  const ragged = rows.find((row) => row.fields.length !== first.fields.length);
  if (ragged === undefined) return { rows, problem: null };
  const counts = `${ragged.fields.length} levels where the first row has ${first.fields.length}`;
  return { rows: null, problem: `line ${ragged.line}: ${counts}` };
}

/** Writes rows as a hierarchy file. */
export function writeHierarchy(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(";")}\n`).join("");
}

/**
 * The name of a column's hierarchy file. Two columns never share one: whatever is no letter, digit, `-` or `_` becomes
 * its code between two `~`, and so does the first letter of what some systems take for a device.
 */
export function hierarchyFileName(column: string): string {
  const device = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(column);
  const plain = (c: string, i: number) => /[\p{L}\p{N}_-]/u.test(c) && !(device && i === 0);
  const safe = Array.from(column, (c, i) => (plain(c, i) ? c : `~${c.codePointAt(0)?.toString(16)}~`));
  return `${safe.join("")}.hierarchy.csv`;
}

function separatorOf(text: string): string {
  const first = text.split(/\r?\n/).find((line) => line !== "") ?? "";
  if (first.includes(";")) return ";";
  const often = (separator: string) => text.split(separator).length;
  return [",", "\t"].reduce((best, other) => (often(other) > often(best) ? other : best), ";");
}

function quoted(field: string): string {
  return /[;"\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

function splitRows(text: string, separator: string): FileRow[] | null {
  const rows: FileRow[] = [];
  let [line, start, fields, field, inQuotes]: [number, number, string[], string, boolean] = [1, 1, [], "", false];
  const endRow = () => {
    fields.push(field);
    // An empty line is no row, as for the program.
    if (fields.length > 1 || field !== "") rows.push({ line: start, fields });
    [fields, field, start] = [[], "", line];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (c === "\n") line++;
    if (inQuotes) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') field += text[++i];
      else inQuotes = false;
    } else if (c === '"' && field === "") inQuotes = true;
    else if (c === separator) [fields, field] = [[...fields, field], ""];
    else if (c === "\n") endRow();
    else if (c !== "\r" || text[i + 1] !== "\n") field += c;
  }
  if (inQuotes) return null;
  if (field !== "" || fields.length > 0) endRow();
  return rows;
}
