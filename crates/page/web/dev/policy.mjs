// Just enough TOML for the mock: sections, keys, strings, numbers, booleans, arrays and inline tables.

/** Reads a policy; throws `{ line, text }` where it cannot. */
export function parse(text) {
  const root = {};
  let table = root;
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const line = strip(lines[index]);
    if (line === "") continue;
    const section = /^\[([^\]]+)\]$/.exec(line);
    if (section) {
      table = section[1].split(".").reduce((parent, part) => (parent[unquote(part)] ??= {}), root);
      continue;
    }
    const pair = /^("[^"]*"|[\w-]+)\s*=\s*(.*)$/.exec(line);
    if (!pair) throw { line: index + 1, text: "expected `key = value`" };
    let value = pair[2];
    const at = index;
    while (open(value) && index + 1 < lines.length) value += ` ${strip(lines[++index])}`;
    try {
      table[unquote(pair[1])] = read(value);
    } catch {
      throw { line: at + 1, text: "this value cannot be read" };
    }
  }
  return root;
}

/** Applies one edit to the text, keeping the rest as it is. */
export function apply(text, { path, value }) {
  const parsed = parse(text);
  // A key below an inline table is changed by writing the inline table anew.
  for (let depth = 1; depth < path.length; depth += 1) {
    const section = path.slice(0, depth - 1);
    if (depth >= 2 && lineOf(text, section, path[depth - 1]) !== null) {
      const whole = structuredClone(section.reduce((parent, part) => parent?.[part], parsed)?.[path[depth - 1]] ?? {});
      if (value === null) delete whole[path.at(-1)];
      else whole[path.at(-1)] = value;
      return apply(text, { path: path.slice(0, depth), value: whole });
    }
  }
  const [section, key] = [path.slice(0, -1), path.at(-1)];
  const lines = text.split("\n");
  const found = lineOf(text, section, key);
  if (found !== null) {
    const comment = /\s+#.*$/.exec(lines[found.from])?.[0] ?? "";
    lines.splice(found.from, found.to - found.from + 1, ...(value === null ? [] : [`${quote(key)} = ${write(value)}${comment}`]));
    return lines.join("\n");
  }
  if (value === null) return text;
  const head = lines.findIndex((line) => strip(line) === `[${section.map(quote).join(".")}]`);
  if (head < 0) return `${text.trimEnd()}\n\n[${section.map(quote).join(".")}]\n${quote(key)} = ${write(value)}\n`;
  let end = head + 1;
  while (end < lines.length && strip(lines[end]) !== "" && !strip(lines[end]).startsWith("[")) end += 1;
  lines.splice(end, 0, `${quote(key)} = ${write(value)}`);
  return lines.join("\n");
}

function lineOf(text, section, key) {
  const lines = text.split("\n");
  const head = `[${section.map(quote).join(".")}]`;
  let inside = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = strip(lines[index]);
    if (/^\[[^\]]+\]$/.test(line)) inside = line === head;
    const pair = /^("[^"]*"|[\w-]+)\s*=\s*(.*)$/.exec(line);
    if (!inside || !pair || unquote(pair[1]) !== key) continue;
    let [value, to] = [pair[2], index];
    while (open(value) && to + 1 < lines.length) value += strip(lines[++to]);
    return { from: index, to };
  }
  return null;
}

const strip = (line) => line.replace(/#.*$/, "").trim();
const unquote = (word) => word.replace(/^"(.*)"$/, "$1");
const quote = (word) => (/^[\w-]+$/.test(word) ? word : `"${word}"`);
const open = (value) => count(value, "[") > count(value, "]") || count(value, "{") > count(value, "}");
const count = (text, sign) => text.split(sign).length - 1;

function read(value) {
  const json = value
    .replace(/,\s*([\]}])/g, "$1")
    .replace(/([{,]\s*)("[^"]*"|[\w-]+)\s*=/g, (_, before, key) => `${before}${JSON.stringify(unquote(key))}:`);
  return JSON.parse(json);
}

function write(value) {
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (typeof value === "object") return `{ ${Object.entries(value).map(([key, inner]) => `${quote(key)} = ${write(inner)}`).join(", ")} }`;
  return JSON.stringify(value);
}
