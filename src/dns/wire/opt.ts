/** The OPT record of an outgoing message (RFC 6891). */
import { OptionCode } from "./edns.ts";
import type { Query } from "./message.ts";

/** Octets of an OPT record without options. */
const emptyOpt = 11;
/** The maximum octets of a reply's options added by `offer`: a cookie, an NSID of 64 octets and a keepalive. */
const offeredRoom = 4 + 24 + 4 + 64 + 4 + 2;

/** Each worker has one such object, and fills it again for every reply. */
export class Opt {
  /** Whether there is an OPT record; if not, nothing is written. */
  present = false;
  /** EDE info code; negative for none. */
  extendedError = -1;
  /** Scope prefix length of the client subnet option (RFC 7871 section 7.2.1). */
  scope = 0;
  /** Messages are padded to a multiple of this number of octets (RFC 8467 section 4.1); 0 for no padding. */
  block = 0;
  #dnssecOk = false;
  /** The query's client subnet option, which the reply repeats with a scope; 0 octets when absent. */
  #packet: Uint8Array = new Uint8Array(0);
  #subnetAt = 0;
  #subnetOctets = 0;
  /** Octets of padding; negative for no option. */
  #padding = -1;
  /** Options in wire format. */
  readonly #offered = new Uint8Array(offeredRoom);
  #offeredOctets = 0;

  /** Starts the OPT record of the reply to this query; without an OPT record in the query, the reply has none. */
  begin({ edns, packet }: Query): void {
    this.present = edns.present;
    this.extendedError = -1;
    this.scope = 0;
    this.block = 0;
    this.#dnssecOk = edns.dnssecOk;
    this.#subnetOctets = edns.ecsOctets;
    this.#padding = -1;
    this.#offeredOctets = 0;
    if (edns.ecsOctets === 0) return;
    this.#packet = packet;
    this.#subnetAt = edns.ecsAt;
  }

  /** Sets the extended error, and returns `rcode`. */
  explain(extendedError: number, rcode: number): number {
    this.extendedError = extendedError;
    return rcode;
  }

  /** Adds an option; there is room for a cookie, an NSID of 64 octets and a keepalive. */
  offer(code: number, data: Uint8Array): void {
    const to = this.#offeredOctets;
    write16(this.#offered, to, code);
    write16(this.#offered, to + 2, data.length);
    for (let i = 0; i < data.length; i++) this.#offered[to + 4 + i] = data[i]!;
    this.#offeredOctets = to + 4 + data.length;
  }

  /** The number of octets that `compose` will write. */
  size(): number {
    if (!this.present) return 0;
    const subnet = this.#subnetOctets > 0 ? 4 + this.#subnetOctets : 0;
    const error = this.extendedError < 0 ? 0 : 6;
    return emptyOpt + subnet + error + this.#offeredOctets + (this.#padding < 0 ? 0 : 4 + this.#padding);
  }

  /** Pads a message of `octets` (without this record) to a whole block, but to at most `room` octets. */
  pad(octets: number, room: number): void {
    this.#padding = -1;
    if (!this.present || this.block === 0) return;
    const bare = octets + this.size() + 4;
    if (bare <= room) this.#padding = Math.min(room, Math.ceil(bare / this.block) * this.block) - bare;
  }

  /** Writes the record at `at`; returns its end. `payload`: octets accepted over UDP; `rcode` may exceed 15. */
  compose(out: Uint8Array, at: number, payload: number, rcode: number): number {
    out[at] = 0;
    write16(out, at + 1, 41);
    write16(out, at + 3, payload);
    out[at + 5] = rcode >>> 4;
    out[at + 6] = 0;
    write16(out, at + 7, this.#dnssecOk ? 0x8000 : 0);
    write16(out, at + 9, this.size() - emptyOpt);
    let to = at + emptyOpt;
    if (this.#subnetOctets > 0) to = this.#composeSubnet(out, to);
    for (let i = 0; i < this.#offeredOctets; i++) out[to++] = this.#offered[i]!;
    if (this.extendedError >= 0) {
      write16(out, to, OptionCode.EDE);
      write16(out, to + 2, 2);
      write16(out, to + 4, this.extendedError);
      to += 6;
    }
    if (this.#padding < 0) return to;
    const end = to + 4 + this.#padding;
    write16(out, to, OptionCode.PADDING);
    write16(out, to + 2, this.#padding);
    out.fill(0, to + 4, end);
    return end;
  }

  #composeSubnet(out: Uint8Array, at: number): number {
    const data = at + 4;
    write16(out, at, OptionCode.ECS);
    write16(out, at + 2, this.#subnetOctets);
    for (let i = 0; i < this.#subnetOctets; i++) out[data + i] = this.#packet[this.#subnetAt + i]!;
    out[data + 3] = this.scope;
    return data + this.#subnetOctets;
  }
}

function write16(out: Uint8Array, at: number, value: number): void {
  out[at] = value >>> 8;
  out[at + 1] = value;
}
