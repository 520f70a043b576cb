/** The settings of another name server as a partner of our zones, and changes of its own zones. */
import type { RecordType } from "../../../src/dns/rdata/record-type.ts";
import type { Daemon } from "../../machine/processes.ts";

export interface Key {
  /** Without final dot. */
  readonly name: string;
  readonly algorithm: string;
  /** Base64. */
  readonly secret: string;
}

/** The key that signs transfers between us and our partners. */
export const key: Key = {
  name: "transfer.example",
  algorithm: "hmac-sha256",
  secret: Buffer.from("a secret of thirty-two octets....").toString("base64"),
};

export interface PartnerZone {
  readonly zone: string;
  readonly key: Key | undefined;
}

export interface Setup {
  readonly directory: string;
  readonly port: number;
  /** Our port. */
  readonly ourPort: number;
  readonly zones: readonly PartnerZone[];
}

/** The new RDATA at a name and type; an empty list removes the RRset. */
export interface Change {
  readonly zone: string;
  readonly domain: string;
  readonly type: RecordType;
  readonly ttl: number;
  readonly rdata: readonly Uint8Array[];
}

export type Command = readonly [file: string, ...args: string[]];
/** Changes a zone of a running primary, which sends us NOTIFY. */
export type Edit = (change: Change, daemon: Daemon) => Promise<void>;

/** Writes the files of a program, and returns its command. */
export type Prepare = (setup: Setup) => Promise<Command>;

export interface Program {
  /** As the secondary of our zones. */
  readonly secondary: Prepare;
  /** As the primary of zones that we follow. */
  readonly primary: (setup: Setup) => Promise<{ readonly command: Command; readonly edit: Edit }>;
}

export const keysOf = ({ zones }: Setup): Key[] => [...new Set(zones.flatMap(({ key }) => key ?? []))];

export const firstSerial = 10;

/** The RDATA of a primary's SOA record, with short timers, so that a secondary soon recovers from a lost NOTIFY. */
export const soaText = (zone: string, serial: number) => `ns.${zone}. host.${zone}. ${serial} 20 5 86400 300`;

/** A primary's zone in its first version. */
export const beginning = (zone: string) => `$ORIGIN ${zone}.
@ 300 SOA ${soaText(zone, firstSerial)}
@ 300 NS ns.${zone}.
ns 300 A 192.0.2.53
`;

/** RDATA that needs no knowledge of its type (RFC 3597 section 5). */
export const generic = (data: Uint8Array) => `\\# ${data.length} ${Buffer.from(data).toString("hex")}`;
