/** The objects with which a worker answers from one image, made once and used for every query. */

import type { Steering } from "../chain/steering.ts";
import type { NameKey } from "../image/memory/key.ts";
import type { ImageReader } from "../image/reader.ts";
import { RrsetView } from "../image/rrset/view.ts";
import type { Foresight } from "../lookup/foresight.ts";
import { Found, type Trail } from "../lookup/lookup.ts";
import { Message } from "./message.ts";

/** CNAMEs and DNAMEs that are followed for one query, at most. */
export const maxLinks = 16;
/** Hosts whose addresses are added to one answer, at most. */
export const maxHosts = 16;

/** Called with where the look-up of a question's name ended, before aliases are followed. */
export type Count = (found: Found, name: NameKey, qtype: number) => void;

export class Workspace {
  readonly image: ImageReader;
  readonly message: Message;
  /** The question's name and the names that it leads to. */
  readonly chain: NameKey[];
  /** The name of the chain that `found` is about. */
  name: NameKey;
  /** First of the chain, unless another key was loaded with the question ahead. */
  readonly question: NameKey;
  readonly foresight: Foresight | undefined;
  /** Names made from a DNAME, one for each link. */
  readonly substituted: readonly Uint8Array[];
  readonly found: Found;
  /** A host that the answer names, and where its look-up ended. */
  readonly host: NameKey;
  readonly hostFound: Found;
  /** Nodes whose addresses were added. */
  readonly seen = new Int32Array(maxHosts);
  /** Nodes of the DNAMEs that the chain went through. */
  readonly dnames = new Int32Array(maxLinks);
  readonly rrset = new RrsetView();
  /** Entry of the zone that denies the name or type; 0 without one. */
  denied = 0;
  readonly steering: Steering;
  readonly count: Count | undefined;

  constructor(image: ImageReader, steering: Steering, foresight?: Foresight, count?: Count, trail?: Trail) {
    this.found = new Found(trail);
    this.hostFound = new Found(trail);
    this.steering = steering;
    this.count = count;
    this.foresight = foresight;
    this.image = image;
    this.message = new Message(image.key());
    this.chain = Array.from({ length: maxLinks + 1 }, () => image.key());
    this.question = this.chain[0]!;
    this.name = this.question;
    this.substituted = Array.from({ length: maxLinks + 1 }, () => new Uint8Array(256));
    this.host = image.key();
  }
}
