/** All attacks. */
import type { Attack } from "../attack.ts";
import { brackets } from "./brackets.ts";
import { chains } from "./chains.ts";
import { changeSets } from "./change-sets.ts";
import { connected } from "./connected.ts";
import { connections } from "./connections.ts";
import { dryRuns } from "./dry-runs.ts";
import { explains } from "./explains.ts";
import { feedValues } from "./feed-values.ts";
import { heavyZone } from "./heavy-zone.ts";
import { imports } from "./imports.ts";
import { keyUpdates } from "./key-updates.ts";
import { largeRecords } from "./large-records.ts";
import { lastOctet } from "./last-octet.ts";
import { manyThings } from "./many-things.ts";
import { metadata } from "./metadata.ts";
import { notices } from "./notices.ts";
import { pipelining } from "./pipelining.ts";
import { searches } from "./searches.ts";
import { signatures } from "./signatures.ts";
import { simulations } from "./simulations.ts";
import { slowReaders } from "./slow-readers.ts";
import { tlsWork } from "./tls-work.ts";

export const attacks: readonly Attack[] = [
  ...[brackets, lastOctet, changeSets, dryRuns, largeRecords, metadata, feedValues, chains, heavyZone],
  ...[keyUpdates, searches, explains, simulations, connections, slowReaders, ...pipelining, ...tlsWork, imports],
  ...[signatures, connected, notices, ...manyThings],
];
