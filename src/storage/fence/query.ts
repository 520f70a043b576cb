/** The parts of a query: its sources and targets, and the conditions that all of its rows meet. */
import { Group, isSymbol, isWord, type Node, textOf } from "./tokens.ts";

export interface QuerySource {
  /** The name in the query's conditions. */
  readonly alias: string;
  /** Undefined for a function or a subquery. */
  readonly table: string | undefined;
}

export interface Condition {
  readonly nodes: readonly Node[];
  /** The one source that the condition narrows, since an outer join keeps the rows of the other; undefined for all. */
  readonly narrows?: string | undefined;
}

export interface Query {
  readonly sources: readonly QuerySource[];
  readonly conditions: readonly Condition[];
  /** The USING columns of each join that has them. */
  readonly shared: readonly (readonly string[])[];
  /** The table of an insert, and the columns of its rows. */
  readonly insert?: { readonly table: string; readonly columns: readonly string[] } | undefined;
}

const clauses = new Set([
  ...["select", "from", "where", "group", "order", "having", "limit", "offset", "for", "set", "returning", "values"],
  ...["using", "window", "fetch", "update", "delete", "insert", "into"],
]);
const joins = ["join", "inner", "left", "right", "full", "cross", "natural", "outer"];

/** Reads one query, without the other queries of a union or those in parentheses. */
export function readQuery(nodes: readonly Node[]): Query {
  if (isWord(nodes[0], "insert")) return readInsert(nodes);
  const sources: QuerySource[] = [];
  const conditions: Condition[] = [];
  const shared: (readonly string[])[] = [];
  for (const { name, content } of clausesOf(nodes)) {
    if (name === "where") conditions.push({ nodes: content });
    else if (name === "from" || name === "using" || name === "update") {
      for (const item of itemsOf(content)) {
        const source = readSource(item.source);
        if (source) sources.push(source);
        if (item.using) shared.push(item.using);
        const narrows = item.kind === "left" ? source?.alias : undefined;
        if (item.on && item.kind !== "right" && item.kind !== "full") conditions.push({ nodes: item.on, narrows });
      }
    }
  }
  return { sources, conditions, shared };
}

function readInsert(nodes: readonly Node[]): Query {
  const [, , table, ...rest] = nodes;
  const columns = rest.find((node) => node instanceof Group);
  const until = rest.findIndex((node, i) => isWord(node, "on") && isWord(rest[i + 1], "conflict"));
  const start = rest.findIndex((node) => isWord(node, "select", "values"));
  const selected = start < 0 ? [] : rest.slice(start, until < 0 ? undefined : until);
  return {
    ...readQuery(selected),
    insert: { table: textOf(table), columns: columns instanceof Group ? wordsOf(columns.nodes) : [] },
  };
}

interface Clause {
  readonly name: string;
  readonly content: readonly Node[];
}

function clausesOf(nodes: readonly Node[]): Clause[] {
  const found: { name: string; content: Node[] }[] = [];
  for (const [i, node] of nodes.entries()) {
    // these begin no clause: IS DISTINCT FROM, USING after the table of a join, and FOR UPDATE
    const begins =
      isWord(node, ...clauses) &&
      !(isWord(node, "from") && isWord(nodes[i - 1], "distinct")) &&
      !(isWord(node, "using") && nodes[i + 1] instanceof Group) &&
      !(isWord(node, "update") && isWord(nodes[i - 1], "for", "key"));
    if (begins) found.push({ name: textOf(node), content: [] });
    else found.at(-1)?.content.push(node);
  }
  return found;
}

interface Item {
  readonly source: readonly Node[];
  readonly kind: string;
  readonly on?: readonly Node[];
  readonly using?: readonly string[];
}

/** Splits FROM into its elements at commas and joins. */
function itemsOf(nodes: readonly Node[]): Item[] {
  const items: { kind: string; source: Node[]; on?: Node[]; using?: readonly string[] }[] = [{ kind: "", source: [] }];
  let kind = "";
  for (const [i, node] of nodes.entries()) {
    const item = items.at(-1)!;
    if (isSymbol(node, ",") && !item.on) items.push({ kind: "", source: [] });
    else if (isWord(node, "join")) {
      items.push({ kind, source: [] });
      kind = "";
    } else if (isWord(node, ...joins)) kind ||= textOf(node);
    else if (isWord(node, "on")) item.on = [];
    else if (isWord(node, "using")) continue;
    else if (isWord(nodes[i - 1], "using") && node instanceof Group) item.using = wordsOf(node.nodes);
    else (item.on ?? item.source).push(node);
  }
  return items;
}

function readSource(nodes: readonly Node[]): QuerySource | undefined {
  const [first, ...rest] = nodes.filter((node) => !isWord(node, "only", "lateral", "as"));
  if (first === undefined) return undefined;
  const isTable = !(first instanceof Group) && !(rest[0] instanceof Group);
  const name = rest.find(
    (node) => !(node instanceof Group) && node.kind === "word" && !isWord(node, "with", "ordinality"),
  );
  const table = isTable ? textOf(first) : undefined;
  return { alias: name === undefined ? (table ?? "") : textOf(name), table };
}

const wordsOf = (nodes: readonly Node[]) => nodes.filter((node) => !isSymbol(node, ",")).map(textOf);

/** Splits a condition at AND; returns nothing if it has an OR. */
export function conjunctsOf(nodes: readonly Node[]): (readonly Node[])[] {
  if (nodes.some((node) => isWord(node, "or"))) return [];
  return split(nodes, "and").flatMap((part) => {
    const [only] = part;
    return part.length === 1 && only instanceof Group && !only.isQuery ? conjunctsOf(only.nodes) : [part];
  });
}

export function split(nodes: readonly Node[], ...words: readonly string[]): (readonly Node[])[] {
  const parts: Node[][] = [[]];
  for (const node of nodes) {
    if (isWord(node, ...words)) parts.push([]);
    else parts.at(-1)!.push(node);
  }
  return parts;
}
