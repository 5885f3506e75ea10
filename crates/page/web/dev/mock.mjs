// A stand-in for the program, for work on the page alone: it serves dist/ and answers the protocol with made-up figures
// that move the right way (exposure to coalitions of at most m falls to zero, the cost rises). Nothing it says is true.
//
//     node dev/mock.mjs [--port 8617] [--slow MILLISECONDS] [--empty] [--providers N] [--wide N]
//
// Answers of further views come from files `dev/mock-*.mjs` that export `handlers`, by path: a function of the body that
// returns the answer, or an async generator of lines.
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { apply, parse } from "./policy.mjs";
import { candidate, profile, rows } from "./figures.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: { port: { type: "string" }, slow: { type: "string" }, empty: { type: "boolean" }, providers: { type: "string" }, wide: { type: "string" } },
});
const slow = Number(options.slow ?? 0);
const many = Number(options.providers ?? 4);
/** Further columns, which are quasi-identifiers; every third waits for a decision. */
const wide = Number(options.wide ?? 0);
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const files = new Map();

const EXAMPLE = `# Hospitals publish one table together.

[data]
providers = [
${Array.from({ length: many }, (_, index) => `  { name = "P${index + 1}", path = "p${index + 1}.csv" },`).join("\n")}
]

[columns.name]
role = "identifier"             # names a person: dropped

[columns.age]
role = "quasi-identifier"       # a neighbour may know it: published as a range

[columns.zip]
role = "quasi-identifier"
kind = "category"
hierarchy = { mask = 5 }

[columns.disease]
role = "sensitive"              # what nobody may learn about a person
${Array.from({ length: wide }, (_, index) => `\n[columns.item_${index + 1}]\n${index % 3 === 2 ? '# DECIDE: a code that few know\nrole = "drop"' : 'role = "quasi-identifier"'}\n`).join("")}
[privacy]
m = 1                           # no hospital learns more by taking out its own patients
k = 3
l = { distinct = 2 }

[method]
name = "agglomerative"

[release]
format = "csv"
`;

export function view(text) {
  const policy = parse(text);
  const columns = Object.entries(policy.columns ?? {}).map(([name, column]) => ({
    name,
    role: column.role ?? "insensitive",
    decide: waits(text, name),
    kind: column.kind ?? null,
    hierarchy: hierarchy(column.hierarchy),
    order: column.order ?? null,
  }));
  const { l, t } = policy.privacy ?? {};
  const sensitive = columns.filter((column) => column.role === "sensitive").map(({ name }) => ({
    column: name,
    l_distinct: l?.distinct ?? null,
    l_entropy: l?.entropy ?? null,
    l_recursive: null,
    t: t?.max ?? null,
    t_distance: t ? (t.distance ?? "equal") : null,
    max_frequency: policy.privacy?.max_frequency ?? null,
    own: [],
  }));
  return {
    providers: (policy.data?.providers ?? []).map((one) => ({ name: one.name, file: one.path, found: true })),
    provider_column: policy.data?.provider_column ?? null,
    columns,
    limits: { m: policy.privacy?.m ?? null, k: policy.privacy?.k ?? null, semantics: "victim", sensitive },
    method: policy.method?.name ?? "agglomerative",
    format: policy.release?.format ?? "csv",
    strict: policy.release?.strict ?? false,
    fragmented: policy.release?.fragmented ?? false,
    max_suppressed: policy.method?.max_suppressed ?? 0,
  };
}

/** Whether the comment above a column's role says so. */
function waits(text, name) {
  return new RegExp(`^\\[columns\\.${name}\\]\\n# DECIDE: `, "m").test(text);
}

function hierarchy(declared) {
  if (declared === undefined) return null;
  if (typeof declared === "string") return { kind: "file", name: declared };
  if (declared.mask !== undefined) return { kind: "mask", digits: declared.mask };
  if (declared.intervals !== undefined) return { kind: "intervals", widths: declared.intervals.map(String) };
  return { kind: "dates" };
}

function problem(code, text, hint = "", more = {}) {
  return { code, text, hint, excerpt: null, line: null, column: null, ...more };
}

function answer(text, edits = []) {
  try {
    for (const edit of edits) {
      text = apply(text, edit);
      if (edit.path[2] === "role") text = text.replace(`[columns.${edit.path[1]}]\n# DECIDE: `, `[columns.${edit.path[1]}]\n# `);
    }
    return { text, view: view(text), problem: null };
  } catch (error) {
    if (error.line === undefined) throw error;
    const excerpt = `${error.line} | ${text.split("\n")[error.line - 1]}`;
    return { text, view: null, problem: problem("MG0103", error.text, "see `docs/reference/policy.md`", { line: error.line, column: 1, excerpt }) };
  }
}

async function* plan({ text }) {
  const now = view(text);
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  if (now.limits.k > 90) {
    yield { event: "problem", problem: problem("MG0301", "no release can satisfy this policy: even one group of all rows breaks k-anonymity", "lower k, or allow rows to be left out with `max_suppressed`") };
    return;
  }
  yield { event: "progress", step: "reading", method: now.method, done: null, elapsed: elapsed() };
  await pause(15 + slow / 5);
  if (now.method !== "mondrian" && slow > 0) {
    yield { event: "answer", candidate: candidate(now, "quick", many) };
    for (let done = 0.1; done < 1; done += 0.1) {
      yield { event: "progress", step: "anonymizing", method: now.method, done, elapsed: elapsed() };
      await pause(slow / 10);
    }
  }
  yield { event: "answer", candidate: candidate(now, "final", many) };
}

const handlers = {
  "/api/policy": ({ text, edits }) => answer(text, edits),
  "/api/propose": () => answer(EXAMPLE),
  "/api/example": () => answer(EXAMPLE),
  "/api/profile": ({ text }) => profile(view(text), many),
  "/api/explain": ({ code }) => ({ code, title: "a code of the mock", text: "Nothing it says is true. The program has an explanation for each code, and what to do.", exit: 2 }),
  "/api/plan": plan,
  "/api/preview": ({ offset, count }) => rows(offset, count),
};
for (const file of (await readdir(here)).filter((name) => /^mock-.*\.mjs$/.test(name))) {
  Object.assign(handlers, (await import(`./${file}`)).handlers);
}

function list() {
  return { files: [...files].sort().map(([name, bytes]) => ({ name, bytes })) };
}

async function body(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

async function respond(request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const json = (status, value) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
  if (!path.startsWith("/api/")) {
    const name = path === "/" ? "index.html" : path.slice(1);
    const type = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" }[extname(name)];
    const content = type && (await readFile(join(here, "../dist", name)).catch(() => null));
    return content ? response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": CSP }).end(content) : json(404, problem("", "not found"));
  }
  if (path === "/api/session") return json(200, { key: "mock-key" });
  if (request.headers.authorization !== "Bearer mock-key") return json(401, problem("", "the key is missing"));
  if (path === "/api/start") {
    const policy = options.empty ? null : answer(EXAMPLE);
    const methods = ["agglomerative", "mondrian", "provider-aware", "datafly", "microaggregation"];
    return json(200, { version: "0.0.0-mock", policy, policy_file: policy && "policy.toml", folder: "releases", methods, most_unconfirmed: 12, largest_upload: 2e9, files: list().files });
  }
  if (path === "/api/files") return json(200, list());
  if (path.startsWith("/api/files/")) {
    const name = path.slice("/api/files/".length);
    if (request.method === "PUT") files.set(name, (await body(request)).length);
    if (request.method === "DELETE") files.delete(name);
    return json(200, list());
  }
  const handler = handlers[path];
  if (!handler) return json(404, problem("", `the mock does not answer ${path}`));
  const result = handler(JSON.parse((await body(request)).toString() || "{}"));
  if (typeof result?.[Symbol.asyncIterator] !== "function") return json(200, await result);
  response.writeHead(200, { "Content-Type": "application/x-ndjson" });
  for await (const event of result) {
    if (response.destroyed) return;
    response.write(`${JSON.stringify(event)}\n`);
  }
  response.end();
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
server.listen(Number(options.port ?? 8617), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/#mock-token`);
});
