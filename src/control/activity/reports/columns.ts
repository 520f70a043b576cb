/** The columns of machine-readable reports. */
import { jsonText } from "../../../lib/text/text.ts";
import type { ActivityRow } from "../../write/activity/store.ts";

interface Column {
  readonly name: string;
  /** The approximate length of a usual value, in characters. */
  readonly width: number;
  of(row: ActivityRow): string;
}

const column = (name: string, width: number, of: Column["of"]): Column => ({ name, width, of });

/** All columns after the first, which is the time. */
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
