// The columns: what each looks like, how much it singles out, its role and why, and how its values generalize. Roles are
// given one by one, or to all columns that are selected.

import { useState } from "preact/hooks";
import { problemOf, upload } from "../api";
import { count, counted } from "../format";
import { HierarchyBuilder } from "../hierarchy/HierarchyBuilder";
import { NOTHING, type Selection } from "../hierarchy/selection";
import { Unreadable } from "../protection/Unreadable";
import type { Edit, PolicyView } from "../protocol";
import { awaitsConfirmation, dropped, edit, planAgain, profile, profileAgain, profileProblem, text, view, wish } from "../state";
import { Button, Card, Field, Problem, Select, toast } from "../ui";
import { ColumnTable } from "./ColumnTable";
import { ConfirmRoles, Together } from "./ConfirmRoles";
import { RoleBar } from "./RoleBar";
import { ROLES } from "./RoleRadio";
import { type ColumnEntry, type Kept, type Look, type Order, columnEntries, proposedEdits, shownColumns } from "./columnList";
import "./columns.css";

export function ColumnsView() {
  const policy = view.value;
  return policy === null ? <Unreadable /> : <Columns policy={policy} />;
}

function Columns({ policy }: { policy: PolicyView }) {
  const [building, build] = useState<string | null>(null);
  const [look, setLook] = useState<Look>({ wanted: "", kept: "all", order: "table" });
  const [selection, select] = useState<Selection>(NOTHING);
  const entries = columnEntries(policy, profile.value, (name) => wish("columns", name, "role") as string | undefined);
  const shown = shownColumns(entries, look);
  // What is not seen is not changed: a selection counts as far as it is shown.
  const selected = shown.filter((entry) => selection.values.has(entry.name));
  return (
    <Card
      title="Columns"
      level={2}
      lead="Say what each column is; everything else follows from it."
      actions={<AcceptAll entries={entries.filter((entry) => entry.declared === null)} />}
    >
      {awaitsConfirmation.value && (
        <div class="confirm-above">
          <ConfirmRoles />
        </div>
      )}
      <RoleLegend />
      {profileProblem.value !== null && <Problem problem={profileProblem.value} />}
      {profile.value === null && profileProblem.value === null && (
        <p class="soft" aria-busy="true">
          Looking at the tables…
        </p>
      )}
      <Open entries={entries} look={look} onLook={setLook} />
      <LookBar look={look} onLook={setLook} entries={entries} />
      <RoleBar shown={shown} selected={selected} onSelect={select} />
      <ColumnTable shown={shown} selection={selection} onSelect={select} onBuild={build} />
      <p class="field-hint columns-foot">
        {shown.length < entries.length && `${shown.length} of ${counted(entries.length, "column")} shown. `}
        <Together />
      </p>
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
function AcceptAll({ entries }: { entries: readonly ColumnEntry[] }) {
  if (entries.length === 0) return null;
  const words = entries.length === 1 ? "role" : `${entries.length} roles`;
  return <Button small onClick={() => edit(...proposedEdits(entries))}>{`Take the proposed ${words}`}</Button>;
}

interface LookBarProps {
  look: Look;
  onLook: (look: Look) => void;
  entries: readonly ColumnEntry[];
}

/** How many columns the proposal left open, and a way to see them alone. */
function Open({ entries, look, onLook }: LookBarProps) {
  const open = entries.filter((entry) => entry.decide).length;
  if (open === 0) return null;
  return (
    <div class="columns-open">
      <p>
        <strong>{counted(open, "column")} to decide.</strong> The proposal leaves {open === 1 ? "it" : "them"} out until
        you give {open === 1 ? "it" : "each"} a role; <em>drop</em> keeps a column out for good.
      </p>
      <Button small aria-pressed={look.kept === "decide"} onClick={() => onLook({ ...look, kept: look.kept === "decide" ? "all" : "decide" })}>
        {look.kept === "decide" ? "Show all" : "Show them alone"}
      </Button>
    </div>
  );
}

/** Search, which columns, in which order. */
function LookBar({ look, onLook, entries }: LookBarProps) {
  const many = (kept: Kept) => shownColumns(entries, { wanted: "", kept, order: "table" }).length;
  const option = (kept: Kept, label: string) => ({ value: kept, label: `${label} (${count(many(kept))})` });
  const open: Kept[] = ["decide", "undeclared"];
  const words: Partial<Record<Kept, string>> = { decide: "to decide", undeclared: "undeclared" };
  const kept = [
    option("all", "all columns"),
    // A choice that leads to nothing is no choice, unless it is made.
    ...open.filter((one) => many(one) > 0 || look.kept === one).map((one) => option(one, words[one] ?? one)),
    ...ROLES.map(({ role }) => option(role, role)),
  ];
  const orders: ReadonlyArray<{ value: Order; label: string }> = [
    { value: "table", label: "as in the tables" },
    { value: "alone", label: "most rows alone first" },
    { value: "name", label: "by name" },
  ];
  return (
    <div class="look-bar" role="search" aria-label="Columns">
      <Field label="Find columns" type="search" placeholder="name, kind or reason" value={look.wanted} onInput={(wanted) => onLook({ ...look, wanted })} />
      <Select label="Show" value={look.kept} options={kept} onChange={(next) => onLook({ ...look, kept: next })} />
      <Select label="Order" value={look.order} options={orders} onChange={(order) => onLook({ ...look, order })} />
    </div>
  );
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
