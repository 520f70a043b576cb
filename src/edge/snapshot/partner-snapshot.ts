/** The snapshot of keys and zones' partners: one line, as the store has them, with sealed secrets. */
import type { SealedPeers } from "../../sync/sealed-peers.ts";
import type { LineFormat } from "./line-snapshots.ts";

export const partnerLines: LineFormat<SealedPeers> = {
  name: "partners",
  what: "keys and partners",
  format: 1,
  head: (rows) => rows,
  lines: () => [],
  parse: ({ keys, zones }: SealedPeers) => ({ keys, zones }),
};
