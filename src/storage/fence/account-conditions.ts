/** The conditions that restrict a table of a query to one account, or to the account of another of its tables. */

import { claimedColumns, columnsOf } from "../tables/owners.ts";
import { conjunctsOf, type Query, type QuerySource } from "./query.ts";
import { Group, isSymbol, isWord, type Node, textOf } from "./tokens.ts";

/** The rows of `alias` belong to the account given by a value (`to` is undefined), or to that of the rows of `to`. */
export interface AccountCondition {
  readonly alias: string;
  readonly to: string | undefined;
}

export function accountConditionsOf({ conditions, shared }: Query, tables: readonly QuerySource[]): AccountCondition[] {
  const restricting: AccountCondition[] = [];
  for (const { nodes, narrows } of conditions) {
    for (const part of conjunctsOf(nodes)) {
      const found = conditionsIn(part, tables);
      restricting.push(...found.filter(({ alias }) => narrows === undefined || alias === narrows));
    }
  }
  for (const columns of shared) {
    if (!columns.includes("account_id")) continue;
    for (const { alias } of tables)
      for (const other of tables) if (other.alias !== alias) restricting.push({ alias, to: other.alias });
  }
  return restricting;
}

function conditionsIn(nodes: readonly Node[], tables: readonly QuerySource[]): AccountCondition[] {
  const left = readColumn(nodes, tables);
  if (left === undefined) return tupleCondition(nodes, tables);
  const rest = nodes.slice(left.length);
  if (isWord(rest[0], "in") && rest[1] instanceof Group && rest.length === 2) return valueCondition(left);
  if (!isSymbol(rest[0], "=")) return [];
  const other = rest.slice(1);
  const right = readColumn(other, tables);
  if (right === undefined) return isValue(other) ? valueCondition(left) : [];
  if (right.length !== other.length) return [];
  return [condition(left, right.alias), condition(right, left.alias)].flat();
}

/** Reads `(account_id, id) in (select ...)`; the inner query is checked separately. */
function tupleCondition(
  [tuple, operator, values, ...rest]: readonly Node[],
  tables: readonly QuerySource[],
): AccountCondition[] {
  if (!(tuple instanceof Group && values instanceof Group && isWord(operator, "in") && rest.length === 0)) return [];
  return splitAtCommas(tuple.nodes).flatMap((nodes) => {
    const column = readColumn(nodes, tables);
    return column !== undefined && column.length === nodes.length ? valueCondition(column) : [];
  });
}

interface Column {
  readonly alias: string;
  /** Whether the column restricts its table to an account. */
  readonly restricts: boolean;
  /** The number of nodes. */
  readonly length: number;
}

const valueCondition = (column: Column) => condition(column, undefined);
const condition = ({ alias, restricts }: Column, to: string | undefined): AccountCondition[] =>
  restricts ? [{ alias, to }] : [];

/** Reads a column at the start, with or without the alias of its source. */
function readColumn([first, second, third]: readonly Node[], tables: readonly QuerySource[]): Column | undefined {
  if (first === undefined || first instanceof Group || first.kind !== "word" || second instanceof Group)
    return undefined;
  const [name, column] = [first.text, textOf(third)];
  if (!isSymbol(second, ".")) {
    // PostgreSQL refuses ambiguous names
    const source = tables.find(({ table = "" }) => isRestricting(table, name)) ?? tables[0];
    return source && { alias: source.alias, restricts: isRestricting(source.table ?? "", name), length: 1 };
  }
  const source = tables.find(({ alias }) => alias === name);
  const restricts = source ? isRestricting(source.table ?? "", column) : column === "account_id";
  return { alias: restricts ? name : `${name}.${column}`, restricts, length: 3 };
}

/**
 * Whether a column restricts its table to an account. A row position (ctid) counts as
 * restricting: the subquery that selects the positions is checked itself.
 */
const isRestricting = (table: string, column: string) =>
  column === "ctid" || columnsOf(table).includes(column) || (claimedColumns[table]?.includes(column) ?? false);

/** Whether the nodes are a parameter, a constant, or ANY of several. */
function isValue([first, ...rest]: readonly Node[]): boolean {
  if (isWord(first, "any")) return rest.length === 1;
  if (first === undefined || first instanceof Group || first.kind !== "value") return false;
  return rest.length === 0 || isSymbol(rest[0], "::");
}

function splitAtCommas(nodes: readonly Node[]): (readonly Node[])[] {
  const parts: Node[][] = [[]];
  for (const node of nodes) {
    if (isSymbol(node, ",")) parts.push([]);
    else parts.at(-1)!.push(node);
  }
  return parts;
}
