/** Generated questions: a record, a name that leads to it, and a client subnet near the bounds of geo ranges. */
import { question, type Subnet } from "../../dns/message.ts";
import { labels } from "../../dns/names.ts";
import type { Draw } from "../differential/draw.ts";
import { within } from "./geo-files.ts";
import { type Address, around, type Block, bitsOf, mapped, octetsOf, print } from "./model/address.ts";
import type { ModelRecord } from "./model/meta.ts";

export interface Question {
  readonly record: ModelRecord;
  readonly domain: string;
  readonly type: ModelRecord["type"];
  readonly subnet: ClientSubnet | undefined;
}

/** The bits of the address after the source prefix are 0. */
export interface ClientSubnet extends Address {
  readonly source: number;
}

const typeCodes = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
export const typeOf = (code: number) => Object.entries(typeCodes).find(([, own]) => own === code)?.[0];

/** `blocks` are those of the geo files. */
export function drawQuestion(draw: Draw, records: readonly ModelRecord[], blocks: readonly Block[]): Question {
  const record = draw.pick(records);
  const type = record.type === "CNAME" ? draw.pick(["A", "A", "AAAA", "TXT", "CNAME"] as const) : record.type;
  const domain = record.domain.startsWith("*") ? `${matched(draw)}${record.domain.slice(1)}` : record.domain;
  return { record, domain, type, subnet: draw.chance(0.93) ? drawSubnet(draw, blocks) : undefined };
}

/** Labels that replace the `*`: an address in some spelling, or almost one. */
function matched(draw: Draw): string {
  const parts = Array.from({ length: draw.chance(0.9) ? 4 : draw.number(1, 5) }, () =>
    draw.chance(0.95) ? `${draw.number(0, 255)}` : draw.pick(["256", "01", "x", "1000"]),
  );
  return parts.join(draw.pick(["-", "-", ".", "_"]));
}

function drawSubnet(draw: Draw, blocks: readonly Block[]): ClientSubnet {
  const block = draw.pick(blocks);
  const { family, first, last } = block;
  const end = (1n << BigInt(bitsOf(family))) - 1n;
  const near = draw.pick([
    first,
    last,
    first > 0n ? first - 1n : first,
    last < end ? last + 1n : last,
    ...Array.from({ length: 4 }, () => within(draw, block)),
    within(draw, { family, first: 0n, last: end }),
  ]);
  if (family === 4 && draw.chance(0.04)) return subnetOf(mapped({ family, value: near }), draw.pick([128, 120]));
  const source = draw.pick(family === 4 ? [32, 32, 24, 24, 24, 20, 16, 0] : [128, 128, 56, 56, 48, 40, 0]);
  return subnetOf({ family, value: near }, source);
}

export const subnetOf = (address: Address, source: number): ClientSubnet => ({
  family: address.family,
  value: around(address, source).first,
  source,
});

export const printSubnet = (subnet: ClientSubnet) => `${print(subnet)}/${subnet.source}`;

export function packetOf({ domain, type, subnet }: Question): Buffer {
  const option: Subnet | undefined = subnet && {
    family: subnet.family,
    octets: octetsOf(subnet),
    source: subnet.source,
  };
  const edns = { payload: 1232, dnssecOk: false, ...(option ? { subnet: option } : {}) };
  return question(labels(domain), typeCodes[type], { edns });
}
