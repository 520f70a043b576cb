/** The objects that a worker needs to answer from one image, created once and reused for each query. */
import type { Steering } from "../chain/steering.ts";
import type { NameKey } from "../image/memory/key.ts";
import type { ImageReader } from "../image/reader.ts";
import { RrsetView } from "../image/rrset/view.ts";
import { Found, type Trail } from "../lookup/lookup.ts";
import type { Prefetch } from "../lookup/prefetch.ts";
import { Message } from "./message.ts";

/** Maximum number of CNAMEs and DNAMEs that are followed for one query. */
export const mostHops = 16;
/** Maximum number of hosts whose addresses are added to one answer. */
export const mostHosts = 16;

/** Called with the result of the look-up of a question's name, before a CNAME is followed. */
export type Count = (found: Found, name: NameKey, qtype: number) => void;

export class Workspace {
  readonly image: ImageReader;
  readonly message: Message;
  /** The names of the CNAME chain: the question's name, then each target. */
  readonly names: NameKey[];
  /** The name in the chain whose look-up is in `found`. */
  name: NameKey;
  /** The first key of `names`; a key that was prefetched takes its place. */
  readonly question: NameKey;
  readonly prefetch: Prefetch | undefined;
  /** Names synthesized from DNAMEs, by hop. */
  readonly substituted: readonly Uint8Array[];
  readonly found: Found;
  /** A host that the answer names; its look-up is in `hostFound`. */
  readonly host: NameKey;
  readonly hostFound: Found;
  /** The nodes of the hosts whose addresses were added. */
  readonly seen = new Int32Array(mostHosts);
  /** The node of the DNAME that was followed, by hop; 0 for a CNAME. */
  readonly dnames = new Int32Array(mostHops);
  readonly rrset = new RrsetView();
  /** The entry of the zone that denied the name or type; 0 without a denial. */
  denied = 0;
  /** A hash of what the answer shares with equal ones, after the question's look-up. */
  asked = 0;
  readonly steering: Steering;
  readonly count: Count | undefined;

  constructor(image: ImageReader, steering: Steering, prefetch?: Prefetch, count?: Count, trail?: Trail) {
    this.found = new Found(trail);
    this.hostFound = new Found(trail);
    this.steering = steering;
    this.count = count;
    this.prefetch = prefetch;
    this.image = image;
    this.message = new Message(image.key());
    this.names = Array.from({ length: mostHops + 1 }, () => image.key());
    this.question = this.names[0]!;
    this.name = this.question;
    this.substituted = Array.from({ length: mostHops + 1 }, () => new Uint8Array(256));
    this.host = image.key();
  }
}
