/** Statements as the library sends them, with less work: their columns are described once for each connection. */
import pg from "pg";

/** The members of the library's connection that a statement uses; its type lists others. */
interface Wire {
  readonly describe: (what: unknown) => void;
  /** Statements that were sent to be prepared, and are not prepared yet. */
  readonly submittedNamedStatements: Readonly<Record<string, string>>;
}

/** The message that describes the columns of a statement. */
interface RowDescription {
  readonly fields: readonly unknown[];
}

/** The members of the library's statement that its type does not list. */
interface LibraryStatement {
  name: string | undefined;
  values: readonly unknown[];
  callback: (error: Error | null, result: pg.QueryResult) => void;
  prepare(wire: Wire): void;
  handleRowDescription(message: RowDescription): void;
}

const LibraryStatement = pg.Query as unknown as new (text: string) => LibraryStatement & pg.Submittable;

/** The statements of a connection that were described, by their names, and the same connection without descriptions. */
class Described {
  readonly columns = new Map<string, RowDescription>();
  readonly quiet: Wire;

  constructor(wire: Wire) {
    this.quiet = Object.create(wire, { describe: { value: () => {} } });
  }
}

const connections = new WeakMap<Wire, Described>();

function describedOf(wire: Wire): Described {
  const described = connections.get(wire) ?? new Described(wire);
  connections.set(wire, described);
  return described;
}

/** A statement with parameters; it is prepared if it has a name. A server refuses a prepared statement whose columns have changed. */
export class Statement extends LibraryStatement {
  readonly result: Promise<pg.QueryResult>;
  #described: Described | undefined;

  constructor(text: string, parameters: readonly unknown[], name: string | undefined) {
    super(text);
    this.name = name;
    this.values = parameters;
    this.result = new Promise((resolve, reject) => {
      this.callback = (error, result) => (error ? reject(error) : resolve(result));
    });
  }

  override prepare(wire: Wire): void {
    // the statement before it may fail, and would leave nothing prepared
    if (this.name !== undefined && this.name in wire.submittedNamedStatements) this.name = undefined;
    const described = this.name === undefined ? undefined : describedOf(wire);
    const columns = described?.columns.get(this.name!);
    if (columns) super.handleRowDescription(columns);
    else this.#described = described;
    super.prepare(columns ? described!.quiet : wire);
  }

  override handleRowDescription(message: RowDescription): void {
    this.#described?.columns.set(this.name!, message);
    super.handleRowDescription(message);
  }
}
