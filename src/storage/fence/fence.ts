/** The second fence between accounts: refuses statements that can see the rows of more than one account. */

import { claimedColumns, columnsOf } from "../tables/owners.ts";
import { accountConditionsOf } from "./account-conditions.ts";
import { saysWhy } from "./exceptions.ts";
import { type Query, type QuerySource, readQuery, split } from "./query.ts";
import { Group, isSymbol, isWord, type Node, nodesOf, textOf } from "./tokens.ts";

const mostKnown = 5000;

/** Checks each statement text once. */
export class Fence {
  readonly #known = new Set<string>();

  /** Throws when the statement is not restricted to an account. */
  assertRestricted(text: string): void {
    if (this.#known.has(text)) return;
    const table = unrestrictedTable(text);
    if (table !== undefined) {
      throw new Error(`a statement is not restricted to one account in the table ${table}: ${text.trim()}`);
    }
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.add(text);
  }
}

/** Returns a table in which the statement sees the rows of all accounts, unless the statement states a reason. */
export function unrestrictedTable(text: string): string | undefined {
  if (saysWhy(text)) return undefined;
  const nodes = nodesOf(text);
  if (new Group(nodes).isQuery) return checkQuery(nodes, new Set());
  // a statement of any other kind must not name a table that belongs to accounts
  return nodes.map(textOf).find((name) => columnsOf(name).length > 0);
}

/** Checks a query; `outer` are the sources of the queries around it, which are checked separately. */
function checkQuery(nodes: readonly Node[], outer: ReadonlySet<string>): string | undefined {
  const [parts, main] = withParts(nodes);
  const named = new Set([...parts.map(({ name }) => name)]);
  for (const { query } of parts) {
    const unrestricted = checkQuery(query, outer);
    if (unrestricted !== undefined) return unrestricted;
  }
  for (const part of split(main, "union", "intersect", "except")) {
    const query = readQuery(part.filter((node, i) => i > 0 || !isWord(node, "all")));
    const unrestricted =
      unrestrictedIn(query, named, outer) ?? checkNested(part, new Set([...outer, ...query.sources.map(aliasOf)]));
    if (unrestricted !== undefined) return unrestricted;
  }
  return undefined;
}

const aliasOf = ({ alias }: QuerySource) => alias;

/** Checks the queries in parentheses at any depth. */
function checkNested(nodes: readonly Node[], outer: ReadonlySet<string>): string | undefined {
  for (const node of nodes) {
    if (!(node instanceof Group)) continue;
    const unrestricted = node.isQuery ? checkQuery(node.nodes, outer) : checkNested(node.nodes, outer);
    if (unrestricted !== undefined) return unrestricted;
  }
  return undefined;
}

/** Splits WITH into its named queries and the main statement. */
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

function unrestrictedIn(query: Query, named: ReadonlySet<string>, outer: ReadonlySet<string>): string | undefined {
  const { insert } = query;
  const [owner] = insert ? columnsOf(insert.table) : [];
  if (insert && owner !== undefined && !insert.columns.includes(owner)) return insert.table;
  const tables = query.sources.filter(
    ({ table }) => table !== undefined && !named.has(table) && columnsOf(table).length,
  );
  const claims = query.sources.filter(({ table = "" }) => !named.has(table) && Object.hasOwn(claimedColumns, table));
  const others = query.sources.filter((source) => !tables.includes(source) && !claims.includes(source));
  const restricted = new Set([...outer, ...others.map(aliasOf)]);
  for (const { alias } of [...tables, ...claims]) restricted.delete(alias);
  const conditions = accountConditionsOf(query, [...tables, ...claims]);
  // a source that is bound to another one is restricted as soon as that one is
  for (let size = -1; size !== restricted.size; ) {
    size = restricted.size;
    for (const { alias, to } of conditions) if (to === undefined || restricted.has(to)) restricted.add(alias);
  }
  return tables.find(({ alias }) => !restricted.has(alias))?.table;
}
