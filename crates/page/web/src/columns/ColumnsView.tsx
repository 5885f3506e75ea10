// The columns: what each looks like, its role, and how its values generalize.

import { useState } from "preact/hooks";
import { problemOf, upload } from "../api";
import { Histogram } from "../charts";
import { count, counted } from "../format";
import { HierarchyBuilder } from "../hierarchy/HierarchyBuilder";
import { Unreadable } from "../protection/Unreadable";
import type { ColumnProfile, ColumnView, Edit, HierarchyView } from "../protocol";
import { dropped, edit, editable, planAgain, profile, profileAgain, profileProblem, text, view, wish } from "../state";
import { Button, Card, Problem, toast } from "../ui";
import { undeclaredColumns } from "../shell/Rail";
import { ROLES, RoleRadio } from "./RoleRadio";
import "./columns.css";

export function ColumnsView() {
  const [building, build] = useState<string | null>(null);
  const policy = view.value;
  if (policy === null) return <Unreadable />;
  const undeclared = undeclaredColumns();
  const names = [...policy.columns.map((column) => column.name), ...undeclared];
  return (
    <Card
      title="Columns"
      level={2}
      lead="Say what each column is; everything else follows from it."
      actions={<AcceptAll names={undeclared} />}
    >
      <RoleLegend />
      {profileProblem.value !== null && <Problem problem={profileProblem.value} />}
      {profile.value === null && profileProblem.value === null && (
        <p class="soft" aria-busy="true">
          Looking at the tables…
        </p>
      )}
      <ul class="columns">
        {names.map((name) => (
          <ColumnRow
            key={name}
            name={name}
            declared={policy.columns.find((one) => one.name === name) ?? null}
            onBuild={() => build(name)}
          />
        ))}
      </ul>
      {policy.provider_column !== null && (
        <p class="field-hint">
          The column <code>{policy.provider_column}</code> names the provider; it is never published.
        </p>
      )}
      {building !== null && (
        <HierarchyBuilder
          text={text.value}
          column={building}
          onApply={(edits, file) => void applyHierarchy(edits, file).then((done) => done && build(null))}
          onClose={() => build(null)}
        />
      )}
    </Card>
  );
}

function RoleLegend() {
  return (
    <ul class="role-legend">
      {ROLES.map(({ role, letter, about }) => (
        <li key={role}>
          <span class={`role-letter role-${role}`} aria-hidden="true">
            {letter}
          </span>
          <span>
            <b>{role}</b> {about}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Takes the proposed role of every column that the policy does not mention. */
function AcceptAll({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  const accept = () => {
    const edits = names.flatMap((name) => {
      const proposed = profile.value?.columns.find((one) => one.name === name)?.proposed_role;
      return proposed === undefined ? [] : [roleEdit(name, proposed)];
    });
    edit(...edits);
  };
  return (
    <Button
      small
      onClick={accept}
    >{`Take the proposed ${names.length === 1 ? "role" : `${names.length} roles`}`}</Button>
  );
}

interface ColumnRowProps {
  name: string;
  /** What the policy says about it; null if nothing. */
  declared: ColumnView | null;
  /** Called to build its hierarchy. */
  onBuild: () => void;
}

function ColumnRow({ name, declared, onBuild }: ColumnRowProps) {
  const seen = profile.value?.columns.find((one) => one.name === name) ?? null;
  const role = (wish("columns", name, "role") as string | undefined) ?? declared?.role ?? null;
  return (
    <li class={`column column-${role ?? "undeclared"}`} data-column={name}>
      <div class="column-head">
        <h3>{name}</h3>
        {declared === null && <span class="badge badge-warn">undeclared</span>}
        {seen === null && profile.value !== null && <span class="badge badge-bad">not in the tables</span>}
        <span class="column-facts">{seen === null ? (declared?.kind ?? "") : facts(seen, declared)}</span>
        <HierarchyButton name={name} role={role} declared={declared} onBuild={onBuild} />
      </div>
      <div class="column-body">
        <div class="column-chart">
          {seen !== null && (
            <Histogram label={`Distribution of ${name}`} bars={seen.bars} rest={seen.rest} ordered={seen.ordered} />
          )}
        </div>
        <RoleRadio
          column={name}
          role={role}
          proposed={seen?.proposed_role ?? null}
          disabled={!editable.value}
          onChange={(next) => edit(roleEdit(name, next))}
        />
      </div>
      {declared === null && seen !== null && (
        <p class="field-hint">
          Proposed: {seen.proposed_role}, since {seen.reason}.
        </p>
      )}
      {role === "insensitive" && seen?.unique && (
        <p class="field-error">Nearly every row has a value of its own: published unchanged, it names people.</p>
      )}
    </li>
  );
}

function HierarchyButton({ name, role, declared, onBuild }: ColumnRowProps & { role: string | null }) {
  if (role !== "quasi-identifier" && role !== "sensitive") return null;
  return (
    <Button
      small
      variant="quiet"
      disabled={declared === null}
      onClick={onBuild}
      aria-label={`Hierarchy of ${name}: ${hierarchyWord(declared?.hierarchy ?? null)}`}
    >
      {hierarchyWord(declared?.hierarchy ?? null)} …
    </Button>
  );
}

function hierarchyWord(hierarchy: HierarchyView | null): string {
  switch (hierarchy?.kind) {
    case undefined:
      return "no hierarchy";
    case "file":
      return `hierarchy: ${hierarchy.name}`;
    case "mask":
      return `mask ${hierarchy.digits}`;
    case "intervals":
      return `intervals ${hierarchy.widths.join(", ")}`;
    case "dates":
      return "dates";
    case "prefix":
      return `prefix ${hierarchy.lengths.join(", ")}`;
    case "bands":
      return `bands ${hierarchy.levels.map((bounds) => bounds.join(", ")).join(" / ")}`;
    case "age":
      return `age on ${hierarchy.at}`;
    case "template":
      return `template ${hierarchy.name}`;
  }
}

function facts(seen: ColumnProfile, declared: ColumnView | null): string {
  const kind = declared?.kind ?? seen.kind;
  const missing = seen.missing > 0 ? ` · ${count(seen.missing)} missing` : "";
  const rarer = seen.rest > 0 ? ` · ${counted(seen.rest, "row")} with rarer ones` : "";
  return `${kind} · ${counted(seen.distinct, "value")}${rarer}${missing}`;
}

function roleEdit(name: string, role: string): Edit {
  return { path: ["columns", name, "role"], value: role };
}

/** Sends the hierarchy's file, if it has one, before the policy refers to it. */
async function applyHierarchy(edits: Edit[], file?: { name: string; content: string }): Promise<boolean> {
  try {
    if (file !== undefined) dropped.value = (await upload(file.name, new Blob([file.content]))).files;
    edit(...edits);
    profileAgain(text.value);
    // The file may be new under its old name, which the text does not show.
    if (file !== undefined) planAgain();
    return true;
  } catch (error) {
    const refused = problemOf(error);
    if (refused !== null) toast(refused.text);
    return false;
  }
}
