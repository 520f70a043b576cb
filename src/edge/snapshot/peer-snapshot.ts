/** Keys and partners of zones as they lie on disk: one line, as the store has them, with secrets that are sealed. */
import type { PeerRows } from "../../sync/postgres/peers.ts";
import type { LineFormat } from "./line-snapshots.ts";

export const peerLines: LineFormat<PeerRows> = {
  name: "partners",
  what: "keys and partners",
  format: 1,
  head: (rows) => rows,
  lines: () => [],
  parse: ({ keys, zones }: PeerRows) => ({ keys, zones }),
};
