/** Rows gathered for the store: rows of one kind are sent in one statement, even if they come from several requests. */

import { jsonInSteps } from "../../lib/fair/json-in-steps.ts";
import type { LongWork } from "../../lib/fair/yield.ts";
import { insertion } from "../../storage/connection/insertion.ts";
import { sendLast } from "../../storage/connection/transaction.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { type Statement, statement, type Tx } from "./store.ts";

export interface RowKind<Row> {
  /** Returns the statement that writes all of the rows. */
  write(rows: readonly Row[]): Statement;
  /** The text of a statement whose only parameter is a JSON array of the rows. */
  readonly text?: string;
}

/** A kind of rows to insert; see `insertion`. */
export function inserted<Row>(
  table: keyof Tables,
  types: Readonly<Record<string, string>>,
  tail?: string,
): RowKind<Row> {
  const text = insertion(table, types, tail);
  return { text, write: (rows) => statement(text, [JSON.stringify(rows)]) };
}

export class Rows {
  readonly #byKind = new Map<RowKind<unknown>, unknown[]>();

  add<Row>(kind: RowKind<Row>, row: Row): void {
    const rows = this.#byKind.get(kind);
    if (rows) rows.push(row);
    else this.#byKind.set(kind, [row]);
  }

  addAll(other: Rows): void {
    for (const [kind, rows] of other.#byKind) for (const row of rows) this.add(kind, row);
  }

  /** Sends and removes all rows; with `work`, it gives way while it composes large ones. */
  async sendTo(tx: Tx, work?: LongWork): Promise<void> {
    for (const [kind, rows] of this.#byKind) {
      const { text } = kind;
      const whole = text === undefined || !work;
      sendLast(tx, whole ? kind.write(rows) : statement(text, [await jsonInSteps(rows, work)]));
    }
    this.#byKind.clear();
  }
}
