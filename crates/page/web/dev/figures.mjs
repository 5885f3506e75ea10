// Made-up figures for the mock: they move the right way, no more.

const DISEASES = ["Asthma", "Cancer", "Epilepsy", "Flu", "Diabetes"];
const NAMES = ["Alice", "Bob", "Dorothy", "Mark", "Sara", "Cecilia", "Olga", "Frank", "Nina", "Theo"];
const ROWS = 480;

export function profile(view, providers) {
  const bars = (labels, of) => labels.map((label, index) => ({ label, count: Math.round(of(index)) }));
  const hill = (index) => 5 + 55 * Math.exp(-(((index - 4) / 2.6) ** 2));
  const columns = [
    column("name", "category", 472, 0, bars(NAMES, () => 2), 460, false, "identifier", "nearly every row has a value of its own"),
    column("age", "integer", 71, 3, bars(Array.from({ length: 14 }, (_, index) => `[${18 + index * 5}-${22 + index * 5}]`), hill), 0, true, "quasi-identifier", "a number that others may know"),
    column("zip", "category", 96, 0, bars(["12367", "98745", "12389", "98701", "12300", "98708"], (index) => 40 - index * 5), 290, false, "quasi-identifier", "codes with a common prefix"),
    column("disease", "category", DISEASES.length, 0, bars(DISEASES, (index) => 160 - index * 30), 0, false, "sensitive", "few values that say much"),
    column("ward", "category", 12, 18, bars(["North", "South", "East", "West"], (index) => 120 - index * 20), 90, false, "insensitive", "few values"),
  ];
  for (const { name } of view.columns) {
    if (name.startsWith("item_")) columns.push(column(name, "category", 30, 0, bars(["a", "b", "c", "d"], (index) => 90 - index * 20), 240, false, "drop", "a code that few know; eight others are better known"));
  }
  return { rows: ROWS, providers: shares(providers), columns, sample_rows: ROWS, alone_together: 311, problem: null };
}

function column(name, kind, distinct, missing, bars, rest, ordered, proposed_role, reason) {
  return { name, kind, distinct, missing, bars, rest, ordered, unique: distinct > 400, alone: Math.round(distinct / 3), rare: distinct, recognised: kind, proposed_role, proposed_kind: kind, decide: false, reason };
}

function shares(providers) {
  return Array.from({ length: providers }, (_, index) => ({ label: `P${index + 1}`, count: Math.round(ROWS / providers + (index % 2 ? 17 : -17)) }));
}

/** Only agglomerative knows efforts; a quick look at another slow method is by Mondrian. */
function madeBy(view, stage) {
  return stage === "quick" && view.method !== "agglomerative" ? "mondrian" : view.method;
}

export function candidate(view, stage, providers) {
  const m = view.limits.m ?? (providers > 1 ? 1 : 0);
  const k = view.limits.k ?? 1;
  const l = view.limits.sensitive[0]?.l_distinct ?? 1;
  const t = view.limits.sensitive[0]?.t ?? 1;
  const columns = view.columns.filter((one) => one.role === "quasi-identifier");
  const worse = { agglomerative: 1, "provider-aware": 1.06, mondrian: 1.3, datafly: 1.9, microaggregation: 0.9 }[madeBy(view, stage)] ?? 1;
  // a shorter search loses somewhat more
  const hasty = stage === "quick" && madeBy(view, stage) === view.method ? 1.05 : 1;
  const loss = Math.min(0.97, hasty * worse * (0.04 + 0.09 * m + 0.035 * Math.log2(k) + 0.02 * (l - 1) + 0.15 * (1 - t)) * (1 - view.max_suppressed));
  const smallest = Math.max(1, k + m * Math.ceil(k / 2));
  const groups = Math.max(1, Math.floor(ROWS / (smallest * 1.5)));
  const suppressed = Math.floor(ROWS * view.max_suppressed * 0.6);
  const published = ROWS - suppressed;
  const exposure = Array.from({ length: Math.max(1, providers) }, (_, size) => {
    const share = size <= m ? 0 : Math.min(1, 1 - Math.exp(-0.7 * (size - m)));
    const certain = size <= m ? 0 : share * share * 0.6;
    return { size, groups: Math.round(groups * share * 0.9), people: Math.round(published * share), undecided: 0, identity: Math.round(published * certain * 0.4), attribute: [Math.round(published * certain)], exposed: Math.round(published * certain) };
  });
  const reader = { highest: 1 / smallest, average: groups / published, above: [] };
  const names = shares(providers).map((one) => one.label);
  return {
    id: `${view.method}-${m}-${k}-${l}-${t}-${stage}-${view.max_suppressed}`,
    stage,
    method: madeBy(view, stage),
    milliseconds: stage === "quick" ? 14 : 41,
    m,
    k,
    against: m === 0 ? "readers from outside" : m === 1 ? "readers from outside and any one provider" : `readers from outside and any ${m} providers together`,
    promises: [
      { promise: { name: "k-anonymity", k }, words: `k-anonymity, k = ${k}`, says_something: k > 1 },
      { promise: { name: "distinct-l-diversity", column: "disease", l }, words: `distinct-l-diversity, l = ${l}, column disease`, says_something: l > 1 },
    ],
    rows: ROWS,
    suppressed,
    people: published,
    groups,
    smallest,
    sizes: [
      { from: smallest, to: smallest * 2 - 1, groups: Math.ceil(groups * 0.7), rows: Math.ceil(published * 0.55) },
      { from: smallest * 2, to: smallest * 4, groups: Math.floor(groups * 0.3), rows: Math.floor(published * 0.45) },
    ],
    loss,
    loss_name: view.method === "microaggregation" ? "information loss" : "NCP",
    columns: columns.map((one, index) => ({ column: one.name, loss: Math.min(1, loss * (index % 2 ? 1.35 : 0.65)), labels: Math.ceil(groups / (index + 1)) })),
    discernibility: published * smallest * 1.6,
    query_error: { mean: loss * 0.8, median: loss * 0.45, queries: 2500 },
    risk: { groups, rows: published, prosecutor: reader, journalist: reader, marketer: groups / published, population: "release" },
    balance: view.limits.sensitive.map(({ column: name }) => ({ column: name, fewest_distinct: l, smallest_entropy_l: l * 0.92, largest_share: 1 / l, largest_distance: Math.min(t, 0.42), distance: "equal", promised_distance: t < 1 ? t : null, distinct: [], entropy: [], shares: [], distances: [] })),
    exposure,
    worst: exposure.slice(1).map(({ size, groups: fallen, exposed }) => ({ members: names.slice(0, size), groups: fallen, exposed, exact: true })),
    providers: shares(providers),
    warnings: view.limits.sensitive.length === 0 ? [{ code: "MG0402", text: "no column is sensitive: nothing is promised about values", hint: "declare one as `sensitive`", excerpt: null, line: null, column: null }] : [],
  };
}

export function rows(offset, count) {
  const columns = [
    { name: "age", role: "quasi-identifier" },
    { name: "zip", role: "quasi-identifier" },
    { name: "disease", role: "sensitive" },
  ];
  const made = Array.from({ length: Math.max(0, Math.min(count, ROWS - offset)) }, (_, step) => {
    const index = offset + step;
    const age = 18 + ((index * 37) % 70);
    const zip = String(12300 + ((index * 91) % 99));
    const disease = DISEASES[(index * 7) % 5];
    const published = index % 29 === 11 ? null : [`[${age - (age % 10)}-${age - (age % 10) + 9}]`, `${zip.slice(0, 3)}**`, disease];
    return { provider: `P${(index % 4) + 1}`, original: [String(age), zip, disease], published, group_size: 4 + (index % 5) };
  });
  return { columns, rows: made, total: ROWS };
}
