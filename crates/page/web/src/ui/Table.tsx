// A table in a frame of its own that scrolls sideways when it is wider than its place.

import type { ComponentChildren } from "preact";

interface TableProps {
  /** What it shows; read out, and visible unless `hideCaption`. */
  caption: ComponentChildren;
  hideCaption?: boolean;
  /** The columns: heading, and whether they hold numbers. */
  head: ReadonlyArray<{ label: ComponentChildren; number?: boolean }>;
  /** The rows: a key and the cells. The first cell is the row's heading. */
  rows: ReadonlyArray<{ key: string; cells: readonly ComponentChildren[]; class?: string }>;
  /** What stands there when there are no rows. */
  empty?: ComponentChildren;
  /** Rows of less height. */
  dense?: boolean;
}

export function Table({ caption, hideCaption, head, rows, empty, dense }: TableProps) {
  const number = (index: number) => (head[index]?.number ? "number" : undefined);
  return (
    <div
      class="table-frame"
      role="region"
      tabIndex={0}
      aria-label={typeof caption === "string" ? `Table: ${caption}` : "Table"}
    >
      <table class={`table${dense ? " table-dense" : ""}`}>
        <caption class={hideCaption ? "visually-hidden" : undefined}>{caption}</caption>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col" class={number(index)}>
                {cell.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} class={row.class}>
              {row.cells.map((cell, index) =>
                index === 0 ? (
                  <th key={index} scope="row" class={number(index)}>
                    {cell}
                  </th>
                ) : (
                  <td key={index} class={number(index)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={head.length} class="table-empty">
                {empty ?? "nothing here"}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
