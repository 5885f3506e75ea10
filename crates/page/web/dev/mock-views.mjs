// Made-up answers for building hierarchies, coalitions, the frontier, attacks and publishing. Nothing it says is true.
import { parse } from "./policy.mjs";

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const problem = (code, text, hint = "") => ({ code, text, hint, excerpt: null, line: null, column: null });

const VALUES = {
  age: Array.from({ length: 61 }, (_, i) => String(20 + i)),
  zip: Array.from({ length: 400 }, (_, i) => String(30000 + i * 37).slice(0, 5)),
  disease: ["asthma", "diabetes", "epilepsy", "flu", "gastritis", "hepatitis", "migraine", "pneumonia", "sinusitis", "ulcer"],
};
// `MOCK_VALUES=10000` makes zip a large column.
if (process.env.MOCK_VALUES) VALUES.zip = Array.from({ length: Number(process.env.MOCK_VALUES) }, (_, i) => String(10000 + i));

function labels(value, draft) {
  switch (draft.kind) {
    case "mask": {
      const most = Math.min(draft.digits, value.length - 1);
      return [value, ...Array.from({ length: most }, (_, i) => value.slice(0, value.length - 1 - i) + "*".repeat(i + 1)), "*"];
    }
    case "intervals":
      return [value, ...draft.widths.map((width) => {
        const low = Math.floor(Number(value) / Number(width)) * Number(width);
        return `[${low}-${low + Number(width) - 1}]`;
      }), "*"];
    case "prefix":
      return [value, ...draft.lengths.map((length) => `${value.slice(0, length)}…`), "*"];
    case "dates":
      return [value, "2001-03", "2001-Q1", "2001", "2000s", "*"];
    case "table": {
      draft.places ??= new Map(draft.rows.map((fields) => [fields[0], fields]));
      return draft.places.get(value) ?? null;
    }
    default:
      return [value];
  }
}

function declared(written) {
  if (written?.mask !== undefined) return { kind: "mask", digits: written.mask };
  if (written?.intervals !== undefined) return { kind: "intervals", widths: written.intervals.map(String) };
  return { kind: "current" };
}

function hierarchy({ text, column, draft, limit }) {
  const values = VALUES[column] ?? VALUES.disease;
  const kind = column === "age" ? "integer" : "category";
  const used = draft.kind === "current" ? declared(parse(text).columns?.[column]?.hierarchy) : draft;
  const base = { column_kind: kind, values: values.length, problem: null, findings: [], file: null };
  if (used.kind === "intervals" && kind !== "integer") {
    const rows = values.map((value) => ({ labels: [value], count: 3, gap: false }));
    return { ...base, distinct: [values.length], rows: rows.slice(0, limit ?? 2000), gaps: 0, problem: problem("MG0120", "`intervals` needs a column of numbers", "choose another way") };
  }
  const rows = values.map((value, i) => ({ labels: labels(value, used) ?? [value], count: 1 + ((i * 7) % 23), gap: labels(value, used) === null }));
  rows.sort((a, b) => Number(b.gap) - Number(a.gap));
  const levels = Math.max(...rows.slice(-1).map((row) => row.labels.length));
  const distinct = Array.from({ length: levels }, (_, level) => new Set(rows.map((row) => row.labels[level]).filter(Boolean)).size);
  const file = used.kind === "table" ? used.rows.map((row) => `${row.join(";")}\n`).join("") : null;
  return { ...base, distinct, rows: rows.slice(0, limit ?? 2000), gaps: rows.filter((row) => row.gap).length, file };
}

function coalition({ providers }) {
  const size = providers.length;
  const fallen = size < 2 ? 0 : size * 3;
  const examples = Array.from({ length: Math.min(12, 4 + size * 2) }, (_, i) => {
    const rows = 3 + (i % 5);
    const left = Math.max(1, rows - size);
    return {
      labels: [`[${20 + i * 4}-${29 + i * 4}]`, `${300 + i}**`],
      rows,
      left,
      fallen: i < fallen,
      broken: i < fallen ? "k-anonymity, k = 3" : null,
      remaining: [left === 1 ? [{ value: "epilepsy", count: 1 }] : [{ value: "flu", count: left - 1 }, { value: "asthma", count: 1 }]],
    };
  });
  return { own: size * 11, touched: size * 14, fallen, exact: true, people: fallen * 4, identity: size < 2 ? 0 : size, exposed: size < 2 ? 0 : size + 1, others: 60 - size * 12, examples };
}

async function* frontier({ text, vary, values, methods }) {
  const of = values.length * methods.length;
  let done = 0;
  for (const method of methods) {
    for (const value of values) {
      await pause(120);
      done += 1;
      if (method === "microaggregation" && value > 20) {
        yield { event: "missing", value, method, done, of, problem: problem("MG0301", "no release can satisfy this policy: the groups cannot be made large enough", "lower k") };
        continue;
      }
      const worse = { agglomerative: 0, mondrian: 0.06, "provider-aware": 0.02, datafly: 0.18, microaggregation: 0.1 }[method] ?? 0;
      const loss = Math.min(1, 0.08 + worse + 0.09 * Math.log2(1 + value));
      const point = { value, method, loss, loss_name: "NCP", query_error: loss * 1.4, highest_risk: vary === "k" ? 1 / value : 0.33, average_risk: vary === "k" ? 0.7 / value : 0.2, insider_share: Math.max(0, 0.5 - value * 0.1), insider_exposed: Math.max(0, 0.2 - value * 0.05), text };
      yield { event: "point", point, done, of };
    }
  }
}

async function* attack({ text, releases }) {
  for (const step of ["reading the releases", "laying them side by side"]) {
    yield { event: "progress", step };
    await pause(500);
  }
  const finding = { column: "disease", releases, people: 60, alone: 0, breached: 7, already: 0, elsewhere: 12, misread: false, summary: "7 of 60 people are left with one `disease` by all releases together, none by ours alone" };
  yield { event: "answer", findings: [finding], holds: false, policy_text: `${text}\n[composition]\nagainst = ${JSON.stringify(releases)}\n` };
}

async function* publish({ name, force }) {
  const started = performance.now();
  for (const step of ["reading", "anonymizing", "verifying", "writing"]) {
    yield { event: "progress", step, elapsed: performance.now() - started };
    await pause(350);
  }
  if (name === "taken" && !force) {
    yield { event: "problem", problem: problem("MG0502", "the folder releases/taken is there already", "choose another name, or replace it") };
    return;
  }
  const summary = "protected against   outsiders and any 1 of 4 providers colluding\ncost                31 % of detail (NCP)\nreport              releases/release/public/report.html";
  yield { event: "published", folder: `releases/${name}`, name, summary, command: null, warnings: [problem("MG0517", "the table is small", "more rows give better groups")] };
}

export const handlers = {
  "/api/hierarchy": hierarchy,
  "/api/coalition": coalition,
  "/api/frontier": frontier,
  "/api/attack": attack,
  "/api/publish": publish,
  "/api/save": ({ name }) => ({ path: `releases/${name}`, copied: ["releases/p1.csv", "releases/zip.hierarchy.csv"], command: `mingle publish releases/${name} --out releases/release` }),
  "/api/report": () => ({ public: "/report/abc", private: "/report/def" }),
};
