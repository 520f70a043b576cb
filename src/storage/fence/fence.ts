/** The second fence between accounts: no statement is sent that would see the rows of more than one. */
import { saysWhy } from "./across.ts";
import { conjunctsOf, type Query, readQuery, type Source, split } from "./query.ts";
import { claimedColumns, holdingColumns } from "./tables.ts";
import { Group, isSymbol, isWord, type Node, nodesOf, textOf } from "./tokens.ts";

const mostKnown = 5000;

/** Looks at each text once. */
export class Fence {
  readonly #known = new Set<string>();

  /** Throws when the statement is held to no account. */
  assertHeld(text: string): void {
    if (this.#known.has(text)) return;
    const table = unheldTable(text);
    if (table !== undefined) {
      throw new Error(`a statement is held to no account in the table ${table}: ${text.trim()}`);
    }
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.add(text);
  }
}

/** A table of which a statement sees the rows of all accounts, unless it says why. */
export function unheldTable(text: string): string | undefined {
  if (saysWhy(text)) return undefined;
  const nodes = nodesOf(text);
  if (new Group(nodes).isQuery) return lookAt(nodes, new Set());
  // what is none of the known statements has no business with these tables
  return nodes.map(textOf).find((name) => columnsOf(name).length > 0);
}

const columnsOf = (table: string): readonly string[] =>
  Object.hasOwn(holdingColumns, table) ? Reflect.get(holdingColumns, table) : [];

/** `outer` are the sources of the queries around this one, which are looked at by themselves. */
function lookAt(nodes: readonly Node[], outer: ReadonlySet<string>): string | undefined {
  const [parts, main] = withParts(nodes);
  const named = new Set([...parts.map(({ name }) => name)]);
  for (const { query } of parts) {
    const unheld = lookAt(query, outer);
    if (unheld !== undefined) return unheld;
  }
  for (const part of split(main, "union", "intersect", "except")) {
    const query = readQuery(part.filter((node, i) => i > 0 || !isWord(node, "all")));
    const unheld =
      unheldIn(query, named, outer) ?? lookInside(part, new Set([...outer, ...query.sources.map(aliasOf)]));
    if (unheld !== undefined) return unheld;
  }
  return undefined;
}

const aliasOf = ({ alias }: Source) => alias;

/** The queries in parentheses, however deep. */
function lookInside(nodes: readonly Node[], outer: ReadonlySet<string>): string | undefined {
  for (const node of nodes) {
    if (!(node instanceof Group)) continue;
    const unheld = node.isQuery ? lookAt(node.nodes, outer) : lookInside(node.nodes, outer);
    if (unheld !== undefined) return unheld;
  }
  return undefined;
}

/** WITH: its queries under their names, and what comes after them. */
function withParts(nodes: readonly Node[]): [{ name: string; query: readonly Node[] }[], readonly Node[]] {
  if (!isWord(nodes[0], "with")) return [[], nodes];
  const parts: { name: string; query: readonly Node[] }[] = [];
  let name = "";
  for (const [i, node] of nodes.entries()) {
    if (i === 0 || isSymbol(node, ",")) name = "";
    else if (node instanceof Group && node.isQuery) parts.push({ name, query: node.nodes });
    else if (isWord(node, "select", "insert", "update", "delete")) return [parts, nodes.slice(i)];
    else if (name === "") name = textOf(node);
  }
  return [parts, []];
}

function unheldIn(query: Query, named: ReadonlySet<string>, outer: ReadonlySet<string>): string | undefined {
  const { insert } = query;
  const [owner] = insert ? columnsOf(insert.table) : [];
  if (insert && owner !== undefined && !insert.columns.includes(owner)) return insert.table;
  const tables = query.sources.filter(
    ({ table }) => table !== undefined && !named.has(table) && columnsOf(table).length,
  );
  const claims = query.sources.filter(({ table = "" }) => !named.has(table) && Object.hasOwn(claimedColumns, table));
  const others = query.sources.filter((source) => !tables.includes(source) && !claims.includes(source));
  const held = new Set([...outer, ...others.map(aliasOf)]);
  for (const { alias } of [...tables, ...claims]) held.delete(alias);
  const bonds = bondsOf(query, [...tables, ...claims]);
  // one that is held to another one is held as soon as that one is
  for (let size = -1; size !== held.size; ) {
    size = held.size;
    for (const { alias, to } of bonds) if (to === undefined || held.has(to)) held.add(alias);
  }
  return tables.find(({ alias }) => !held.has(alias))?.table;
}

/** That the rows of one source are those of a value's account (`to` is undefined), or of another source's row. */
interface Bond {
  readonly alias: string;
  readonly to: string | undefined;
}

function bondsOf({ conditions, shared }: Query, tables: readonly Source[]): Bond[] {
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

/** `(account_id, id) in (select ...)`: the query in it is looked at by itself. */
function tupleBond([tuple, operator, values, ...rest]: readonly Node[], tables: readonly Source[]): Bond[] {
  if (!(tuple instanceof Group && values instanceof Group && isWord(operator, "in") && rest.length === 0)) return [];
  return splitAtCommas(tuple.nodes).flatMap((nodes) => {
    const column = readColumn(nodes, tables);
    return column !== undefined && column.length === nodes.length ? valueBond(column) : [];
  });
}

interface Column {
  readonly alias: string;
  /** Whether it is one that holds its table to an account. */
  readonly holds: boolean;
  /** In nodes. */
  readonly length: number;
}

const valueBond = (column: Column) => bond(column, undefined);
const bond = ({ alias, holds }: Column, to: string | undefined): Bond[] => (holds ? [{ alias, to }] : []);

/** A column at the start, with or without the alias of its source. */
function readColumn([first, second, third]: readonly Node[], tables: readonly Source[]): Column | undefined {
  if (first === undefined || first instanceof Group || first.kind !== "word" || second instanceof Group)
    return undefined;
  const [name, column] = [first.text, textOf(third)];
  if (!isSymbol(second, ".")) {
    // PostgreSQL refuses a name that could be of two tables
    const source = tables.find(({ table = "" }) => holds(table, name)) ?? tables[0];
    return source && { alias: source.alias, holds: holds(source.table ?? "", name), length: 1 };
  }
  const source = tables.find(({ alias }) => alias === name);
  const isHolding = source ? holds(source.table ?? "", column) : column === "account_id";
  return { alias: isHolding ? name : `${name}.${column}`, holds: isHolding, length: 3 };
}

/** The place of a row (ctid) that a query found holds as well: that query is looked at by itself. */
const holds = (table: string, column: string) =>
  column === "ctid" || columnsOf(table).includes(column) || (claimedColumns[table]?.includes(column) ?? false);

/** A parameter or a constant, or any of several. */
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
