// The tables: those of the policy, and those that were dropped and wait to be used.

import { useState } from "preact/hooks";
import { count, counted } from "../format";
import type { LabelledCount, PolicyView } from "../protocol";
import { RELEASES, dropped, edit, profile, profileProblem, sending, view } from "../state";
import { Button, Card, Problem, Select, Table } from "../ui";
import { DropZone } from "./DropZone";
import { Files } from "./Files";
import { isTable } from "./collect";
import { propose, proposeProblem, proposing, takeFiles } from "./load";
import "./data.css";

export function DataView() {
  const policy = view.value;
  return (
    <div class="data">
      <Card title="Data" level={2} lead="The tables that the policy names. Promises count people where it says whose each row is (person in [data]); else each row is taken to be one person.">
        {profileProblem.value !== null && <Problem problem={profileProblem.value} />}
        {policy !== null && <Tables policy={policy} />}
        {policy !== null && policy.providers.length === 1 && <ProviderColumn policy={policy} />}
      </Card>
      <Card
        title="Other tables"
        lead="Drop tables to replace those of the same name, or to begin a new policy with them."
      >
        <DropZone onFiles={(files) => void takeFiles(files)} />
        <NewPolicy />
      </Card>
    </div>
  );
}

/** More providers than this are counted. */
const LISTED = 60;

function Tables({ policy }: { policy: PolicyView }) {
  const rows = new Map(profile.value?.providers.map((bar) => [bar.label, bar.count]));
  const listed = policy.providers.slice(0, LISTED);
  const split = policy.provider_column !== null ? [...(profile.value?.providers ?? [])].sort(byName) : [];
  return (
    <>
      <Table
        caption="Tables of the policy"
        hideCaption
        head={[{ label: "provider" }, { label: "file" }, { label: "rows", number: true }, { label: "file found" }]}
        rows={listed.map((one) => ({
          key: one.name ?? one.file,
          cells: [
            one.name ?? "all",
            <code>{one.file}</code>,
            rowsOf(one.name, rows),
            <Found found={one.found} file={one.file} />,
          ],
        }))}
      />
      <More of={policy.providers.length} listed={listed.length} />
      {split.length > 0 && (
        <>
          <Table
            dense
            caption={`Rows by ${policy.provider_column}`}
            head={[{ label: "provider" }, { label: "rows", number: true }]}
            rows={split.slice(0, LISTED).map((bar) => ({ key: bar.label, cells: [bar.label, count(bar.count)] }))}
          />
          <More of={split.length} listed={Math.min(split.length, LISTED)} />
        </>
      )}
    </>
  );
}

/** How many a list leaves out. */
function More({ of, listed }: { of: number; listed: number }) {
  return of > listed ? <p class="field-hint">and {counted(of - listed, "more provider")}</p> : null;
}

/** Whether the file is there, and whether what is wrong with the tables is about it. */
function Found({ found, file }: { found: boolean; file: string }) {
  if (!found) return <span class="badge badge-bad">no</span>;
  const wrong = profileProblem.value?.text.includes(file) ?? false;
  return wrong ? <span class="badge badge-bad">yes, but see above</span> : <span class="soft">yes</span>;
}

function byName(one: LabelledCount, other: LabelledCount): number {
  return one.label.localeCompare(other.label, "en", { numeric: true });
}

function rowsOf(name: string | null, rows: ReadonlyMap<string, number>): string {
  if (profile.value === null) return "…";
  const found = name === null ? profile.value.rows : rows.get(name);
  return found === undefined ? "–" : count(found);
}

/** One table: who provided which row is a column, or they are all from one provider. */
function ProviderColumn({ policy }: { policy: PolicyView }) {
  const names = (profile.value?.columns ?? []).map((column) => column.name);
  const now = policy.provider_column;
  const known = now === null || names.includes(now) ? names : [now, ...names];
  const choose = (name: string) => {
    if (name === "") edit({ path: ["data", "provider_column"], value: null });
    // The column that names the provider is not published, so it has no role.
    else edit({ path: ["columns", name], value: null }, { path: ["data", "provider_column"], value: name });
  };
  return (
    <div class="provider-column">
      <Select
        label="Who provided a row"
        value={now ?? ""}
        options={[
          { value: "", label: "one provider for all rows" },
          ...known.map((name) => ({ value: name, label: `the column ${name} says so` })),
        ]}
        hint="With a column of providers, the release can be protected against their collusion."
        onChange={choose}
      />
    </div>
  );
}

function NewPolicy() {
  const [left, leave] = useState<ReadonlySet<string>>(new Set());
  const tables = dropped.value
    .map((file) => file.name)
    .filter((name) => isTable(name) && !name.startsWith(RELEASES));
  const chosen = new Set(tables.filter((name) => !left.has(name)));
  const choose = (name: string, on: boolean) =>
    leave(new Set(on ? [...left].filter((one) => one !== name) : [...left, name]));
  if (dropped.value.length === 0 && sending.value.length === 0)
    return <p class="soft data-none">Nothing was dropped yet.</p>;
  return (
    <div class="stack">
      <Files chosen={chosen} onChoose={choose} />
      {proposeProblem.value !== null && <Problem problem={proposeProblem.value} announce />}
      {tables.length > 0 && (
        <p class="data-propose">
          <Button busy={proposing.value} disabled={chosen.size === 0} onClick={() => void propose([...chosen])}>
            {`Propose a new policy for ${counted(chosen.size, "table")}`}
          </Button>
          <span class="soft">
            {chosen.size > 1 ? "Each table is a provider." : "One table for all; who provided a row is chosen next."}
          </span>
        </p>
      )}
    </div>
  );
}
