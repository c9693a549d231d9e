/**
 * A table that scrolls by itself where the page is narrow.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useSpeech } from "./speech.ts";

/** A column's heading. */
export interface Column {
  readonly title: string;
  /** Numbers stand at the right. @default {false} */
  readonly numeric?: boolean;
}

/** What a table is made of. */
export interface TableProps {
  /** For those who do not see the heading above it. */
  readonly title: string;
  readonly columns: readonly Column[];
  /** Said instead of a table without rows. */
  readonly none: string;
  readonly empty: boolean;
  readonly children: ComponentChildren;
}

/** See the module. The scrolling part takes the focus, so that keys can scroll it. */
export function Table({ title, columns, none, empty, children }: TableProps) {
  const speech = useSpeech();
  if (empty) return <p class="none">{none}</p>;
  return (
    <div
      class="table"
      role="region"
      tabIndex={0}
      aria-label={speech.text("table.scroll", { title })}
    >
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={column.numeric ? "number" : ""}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
