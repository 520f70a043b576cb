/** Inserts of any number of rows in one statement of fixed text, which every connection prepares once. */
import type { Tables } from "../tables/index.ts";

/**
 * The text of an insert whose one parameter is a JSON array of rows. `types` gives the SQL type of each column, and
 * `tail` follows the insert (ON CONFLICT). Fields of a row that are not columns are passed over.
 */
export function insertion(table: keyof Tables, types: Readonly<Record<string, string>>, tail = ""): string {
  const columns = Object.keys(types).join(", ");
  const typed = Object.entries(types).map(([column, type]) => `${column} ${type}`);
  return `insert into ${table} (${columns}) select ${columns} from json_to_recordset($1::json) as given (${typed.join(", ")}) ${tail}`;
}
