/** The bonds of a query's sources: conditions that restrict a source to one account, or bind it to another source. */
import { conjunctsOf, type Query, type Source } from "./query.ts";
import { claimedColumns, columnsOf } from "./tables.ts";
import { Group, isSymbol, isWord, type Node, textOf } from "./tokens.ts";

/** The rows of `alias` have the account of a value (`to` is undefined), or the account of the source `to`. */
export interface Bond {
  readonly alias: string;
  readonly to: string | undefined;
}

export function bondsOf({ conditions, shared }: Query, tables: readonly Source[]): Bond[] {
  const bonds: Bond[] = [];
  for (const { nodes, narrows } of conditions) {
    for (const part of conjunctsOf(nodes)) {
      const found = bondIn(part, tables);
      bonds.push(...found.filter(({ alias }) => narrows === undefined || alias === narrows));
    }
  }
  for (const columns of shared) {
    if (!columns.includes("account_id")) continue;
    for (const { alias } of tables)
      for (const other of tables) if (other.alias !== alias) bonds.push({ alias, to: other.alias });
  }
  return bonds;
}

function bondIn(nodes: readonly Node[], tables: readonly Source[]): Bond[] {
  const left = readColumn(nodes, tables);
  if (left === undefined) return tupleBond(nodes, tables);
  const rest = nodes.slice(left.length);
  if (isWord(rest[0], "in") && rest[1] instanceof Group && rest.length === 2) return valueBond(left);
  if (!isSymbol(rest[0], "=")) return [];
  const other = rest.slice(1);
  const right = readColumn(other, tables);
  if (right === undefined) return isValue(other) ? valueBond(left) : [];
  if (right.length !== other.length) return [];
  return [bond(left, right.alias), bond(right, left.alias)].flat();
}

/** Reads `(account_id, id) in (select ...)`; the inner query is checked separately. */
function tupleBond([tuple, operator, values, ...rest]: readonly Node[], tables: readonly Source[]): Bond[] {
  if (!(tuple instanceof Group && values instanceof Group && isWord(operator, "in") && rest.length === 0)) return [];
  return splitAtCommas(tuple.nodes).flatMap((nodes) => {
    const column = readColumn(nodes, tables);
    return column !== undefined && column.length === nodes.length ? valueBond(column) : [];
  });
}

interface Column {
  readonly alias: string;
  /** Whether the column restricts its table to an account. */
  readonly holds: boolean;
  /** The number of nodes. */
  readonly length: number;
}

const valueBond = (column: Column) => bond(column, undefined);
const bond = ({ alias, holds }: Column, to: string | undefined): Bond[] => (holds ? [{ alias, to }] : []);

/** Reads a column at the start, with or without the alias of its source. */
function readColumn([first, second, third]: readonly Node[], tables: readonly Source[]): Column | undefined {
  if (first === undefined || first instanceof Group || first.kind !== "word" || second instanceof Group)
    return undefined;
  const [name, column] = [first.text, textOf(third)];
  if (!isSymbol(second, ".")) {
    // PostgreSQL refuses ambiguous names
    const source = tables.find(({ table = "" }) => holds(table, name)) ?? tables[0];
    return source && { alias: source.alias, holds: holds(source.table ?? "", name), length: 1 };
  }
  const source = tables.find(({ alias }) => alias === name);
  const isHolding = source ? holds(source.table ?? "", column) : column === "account_id";
  return { alias: isHolding ? name : `${name}.${column}`, holds: isHolding, length: 3 };
}

/** Whether a column restricts its table. So does a row position (ctid): its query is checked separately. */
const holds = (table: string, column: string) =>
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
