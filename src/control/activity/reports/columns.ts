/** The columns of tables that programs read. */
import { jsonText } from "../../../lib/text/text.ts";
import type { ActivityRow } from "../../write/activity/store.ts";

interface Column {
  readonly name: string;
  /** Characters of a usual value, about. */
  readonly width: number;
  of(row: ActivityRow): string;
}

const column = (name: string, width: number, of: Column["of"]): Column => ({ name, width, of });

/** Beside the time, which comes first. */
export const columns: readonly Column[] = [
  column("resource_type", 16, (row) => row.resource_type),
  column("action", 12, (row) => row.action),
  column("resource_id", 28, (row) => row.resource_id),
  column("user_name", 24, (row) => row.user_name),
  column("user_type", 10, (row) => row.user_type),
  column("user_id", 28, (row) => row.user_id),
  column("address", 18, (row) => row.address ?? ""),
  column("before", 40, (row) => (row.before === null ? "" : jsonText(row.before))),
  column("resource", 60, (row) => jsonText(row.resource)),
  column("id", 28, (row) => row.id),
];
