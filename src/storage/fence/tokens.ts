/** Parses SQL into words, symbols and groups in parentheses, which is all that the fence needs. */

export interface Word {
  /** Unquoted names and keywords are in lower case; quoted names are without quotes. */
  readonly text: string;
  readonly kind: "word" | "value" | "symbol";
}

export type Node = Word | Group;

export class Group {
  readonly nodes: readonly Node[];

  constructor(nodes: readonly Node[]) {
    this.nodes = nodes;
  }

  get isQuery(): boolean {
    const [first] = this.nodes;
    return isWord(first, "select", "with", "insert", "update", "delete") || (first instanceof Group && first.isQuery);
  }
}

export const isWord = (node: Node | undefined, ...texts: readonly string[]): boolean =>
  node !== undefined && !(node instanceof Group) && node.kind === "word" && texts.includes(node.text);

/** Returns the text of a word; empty for a group. */
export const textOf = (node: Node | undefined): string =>
  node === undefined || node instanceof Group ? "" : node.text;

export const isSymbol = (node: Node | undefined, text: string): boolean =>
  node !== undefined && !(node instanceof Group) && node.kind === "symbol" && node.text === text;

const pattern =
  /\/\*[\s\S]*?\*\/|--[^\n]*|(?<string>'(?:[^']|'')*')|"(?<quoted>[^"]*)"|(?<parameter>\$\d+)|(?<word>[a-z_]\w*)|(?<number>\d[\d.]*)|(?<symbol>::|<=|>=|<>|!=|\|\||->>|->|@>|[^\s\w])/gi;

export function nodesOf(text: string): readonly Node[] {
  const open: Node[][] = [[]];
  for (const { groups } of text.matchAll(pattern)) {
    const node = groups && nodeOf(groups);
    if (!node) continue;
    if (isSymbol(node, "(")) open.push([]);
    else if (!isSymbol(node, ")")) open.at(-1)!.push(node);
    else if (open.length > 1) {
      const group = new Group(open.pop()!);
      open.at(-1)!.push(group);
    }
  }
  return open[0]!;
}

function nodeOf({ string, quoted, parameter, word, number, symbol }: Record<string, string | undefined>) {
  if (word !== undefined) return { kind: "word", text: word.toLowerCase() } as const;
  if (quoted !== undefined) return { kind: "word", text: quoted } as const;
  const value = string ?? parameter ?? number;
  if (value !== undefined) return { kind: "value", text: value } as const;
  return symbol === undefined ? undefined : ({ kind: "symbol", text: symbol } as const);
}
