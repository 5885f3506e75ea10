// What is varied, over which values, by which methods.

import { counted } from "../format";
import type { PolicyView, Vary } from "../protocol";
import { started } from "../state";
import { Button, Field, Select } from "../ui";
import { chosenMethods, typed, varied } from "./choice";
import type { Question } from "./run";
import { parseValues, scopeOf } from "./values";

interface ChoiceProps {
  text: string;
  view: PolicyView;
  /** The number of providers. */
  providers: number;
  running: boolean;
  onBegin: (question: Question) => void;
  onStop: () => void;
}

const VARIED: readonly Vary[] = ["k", "m", "l", "t"];

export function ChoiceForm({ text, view, providers, running, onBegin, onStop }: ChoiceProps) {
  const vary = varied.value;
  const methods = chosenMethods.value ?? [view.method];
  const scope = scopeOf(vary, providers);
  const list = typed.value[vary] ?? scope.preset;
  const { values, problem } = parseValues(list, scope);
  const points = values.length * methods.length;
  const begin = (event: Event) => {
    event.preventDefault();
    if (!running && points > 0 && obstacle(vary, view) === null) onBegin({ text, vary, values, methods: [...methods] });
  };
  const options = VARIED.map((name) => {
    const { meaning } = scopeOf(name, providers);
    const why = obstacle(name, view);
    return { value: name, label: `${name}: ${meaning}${why === null ? "" : ` (${why})`}`, disabled: why !== null };
  });
  return (
    <form class="frontier-form" onSubmit={begin}>
      <Select label="What varies" value={vary} options={options} onChange={(name) => (varied.value = name)} />
      <Field
        label={`Values of ${scope.name}`}
        value={list}
        onInput={(value) => (typed.value = { ...typed.value, [vary]: value })}
        {...(problem === null ? { hint: counted(values.length, "value") } : { error: problem })}
      />
      <Methods chosen={methods} own={view.method} onChange={(names) => (chosenMethods.value = names)} />
      <div class="frontier-go">
        <Button type="submit" variant="primary" disabled={points === 0 || obstacle(vary, view) !== null} busy={running}>
          {points === 0 ? "Compute" : `Compute ${counted(points, "point")}`}
        </Button>
        <Button disabled={!running} onClick={onStop}>Stop</Button>
      </div>
    </form>
  );
}

/** Why a parameter cannot vary; null if it can. A column's own limit stands whatever the general one is. */
function obstacle(vary: Vary, view: PolicyView): string | null {
  if (vary !== "l" && vary !== "t") return null;
  if (!view.columns.some((column) => column.role === "sensitive")) return "no column is sensitive";
  const own = view.limits?.sensitive.find((one) => one.own.includes(vary));
  return own === undefined ? null : `${own.column} has its own`;
}

function Methods({ chosen, own, onChange }: { chosen: readonly string[]; own: string; onChange: (methods: string[]) => void }) {
  const known = started.value?.methods ?? [];
  const all = known.includes(own) ? known : [own, ...known];
  const toggle = (name: string) => onChange(all.filter((method) => chosen.includes(method) !== (method === name)));
  return (
    <fieldset class="frontier-methods">
      <legend>Methods</legend>
      {all.map((method) => (
        <label key={method}>
          <input type="checkbox" checked={chosen.includes(method)} onChange={() => toggle(method)} />
          <span>{method}{method === own && <span class="soft"> (the policy’s)</span>}</span>
        </label>
      ))}
      {chosen.length === 0 && <p class="field-error">at least one method</p>}
    </fieldset>
  );
}
