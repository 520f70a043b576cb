/** The first line of an export: what wrote the file, and what it contains. */
import { invalid } from "../../lib/problem.ts";
import { firstMigration, unreleased } from "../../sync/postgres/schema.ts";
import { migrationNames } from "../migrate.ts";
import { notOurs } from "./container.ts";

export const containerFormat = 2;
/** Files of format 1 always have their secrets. */
const readable: readonly unknown[] = [1, containerFormat];

/** The key that seals the secrets in the file. */
export type ExportKey =
  | { readonly kind: "master_key"; readonly id: string }
  | { readonly kind: "passphrase"; readonly id: string; readonly salt: string }
  /** The secrets were left out. */
  | { readonly kind: "none" };

export interface Header {
  readonly fairlead_store: number;
  /** The version of the program that wrote the file; missing in the first files. */
  readonly version?: string;
  /** The names of the migrations that made the schema, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly string[];
  readonly key: ExportKey;
}

/** Describes a version of the program with its schema, such as `Fairlead 0.1.0 (schema 0001_schema)`. */
export const printOrigin = (version: string | undefined, migrations: readonly string[] = migrationNames): string =>
  `Fairlead ${version ?? "of an unknown version"} (schema ${migrations.at(-1)})`;

/** What wrote a file. */
export const originOf = ({ version, migrations }: Partial<Header>): string => printOrigin(version, migrations);

/** Returns the header. Throws a Problem if this version cannot read the file. */
export function checkHeader(line: Record<string, unknown>, version: string): Header {
  const header = line as Partial<Header>;
  const { fairlead_store: format, migrations = [] } = header;
  if (format === undefined) throw invalid(notOurs);
  if (!readable.includes(format)) throw newer(header, version, `, in format ${format}`);
  if (!migrations.includes(firstMigration)) throw invalid(unreleased("the file"));
  if (migrations.some((name, i) => name !== migrationNames[i])) throw newer(header, version);
  return header as Header;
}

const newer = (header: Partial<Header>, version: string, format = "") =>
  invalid(
    `${originOf(header)} wrote the file${format}, which this version cannot read: ${printOrigin(version)}. ` +
      "Import the file with the version that wrote it, or a later one",
  );
