/** Inserts any number of rows with one statement of fixed text, which every connection prepares once. */
import type { Tables } from "../tables/index.ts";

/**
 * Composes an insert whose only parameter is a JSON array of rows. `types` has the SQL type of each column, and `tail`
 * follows the insert (ON CONFLICT). Fields of a row that are not columns are ignored.
 */
export function insertion(table: keyof Tables, types: Readonly<Record<string, string>>, tail = ""): string {
  const columns = Object.keys(types).join(", ");
  const typed = Object.entries(types).map(([column, type]) => `${column} ${type}`);
  return `insert into ${table} (${columns}) select ${columns} from json_to_recordset($1::json) as given (${typed.join(", ")}) ${tail}`;
}
