/** Answers single questions from an image, for explain and lint, and records the names that were looked up. */
import { composeQuery, parseReply, type Reply, type Subnet } from "../../dns/reply.ts";
import { Query } from "../../dns/wire/message.ts";
import { lengthOfName, type Name, nameToApi } from "../../dns/wire/name.ts";
import { type Sender, Steering, type SteeringOptions } from "../chain/steering.ts";
import type { NameKey } from "../image/memory/key.ts";
import type { ImageShare } from "../image/memory/share.ts";
import { ImageReader } from "../image/reader.ts";
import { respond } from "./respond.ts";
import type { TraceStep } from "./trace.ts";
import { Workspace } from "./workspace.ts";

export interface Question {
  readonly name: Name;
  readonly type: number;
  /** The address that the packet comes from. */
  readonly sender: Sender;
  /** The client subnet that the query names. */
  readonly subnet?: Subnet | undefined;
}

export interface Asked {
  readonly reply: Reply;
  /** Length of the untruncated reply in octets. */
  readonly octets: number;
  /** Bits of the client subnet on which the answer depends. */
  readonly scope: number;
  readonly steps: readonly TraceStep[];
}

/** Maximum octets of a reply over TCP. */
const mostOctets = 65_535;
const payload = 1232;

/** Answers questions from one image, in the thread that writes it. */
export class Questioner {
  /** Every name that was looked up, whether it exists or not, in the API's spelling. */
  readonly lookedUp = new Set<string>();
  readonly #reader: ObservedReader;
  readonly #space: Workspace;
  readonly #query = new Query();
  readonly #out = new Uint8Array(mostOctets);

  constructor(share: ImageShare, steering: SteeringOptions) {
    this.#reader = new ObservedReader(share, (name) => this.lookedUp.add(nameToApi(name)));
    this.#space = new Workspace(this.#reader, new Steering(steering));
  }

  /** Applies a share that the writer announced. */
  update(share: ImageShare): void {
    this.#reader.update(share);
  }

  /** Restarts the random numbers with a seed. */
  seed(seed: number): void {
    this.#space.steering.client.seed(seed);
  }

  ask({ name, type, sender, subnet }: Question, isTraced: boolean): Asked {
    const packet = composeQuery(name, type, payload, subnet);
    const steps: TraceStep[] = [];
    this.#query.parse(packet, 0, packet.length);
    this.#reader.enter();
    const { message, steering } = this.#space;
    message.opt.begin(this.#query);
    message.begin(this.#query, this.#out, 0, mostOctets);
    respond(this.#space, this.#query, sender, isTraced ? (step) => steps.push(step) : undefined);
    const octets = message.end(this.#query, payload);
    this.#reader.leave();
    return { reply: parseReply(this.#out.subarray(0, octets)), octets, scope: steering.scope, steps };
  }
}

/** Calls `note` for each name that is looked up. */
class ObservedReader extends ImageReader {
  readonly #note: (name: Name) => void;

  constructor(share: ImageShare, note: (name: Name) => void) {
    super(share, 0);
    this.#note = note;
  }

  override findZone(view: number, key: NameKey, from: number): number {
    for (let label = from; label <= key.labels; label++) this.#note(nameAt(key, label));
    return super.findZone(view, key, from);
  }

  override findNode(data: number, key: NameKey, label: number, apex: number): number {
    this.#note(nameAt(key, label));
    return super.findNode(data, key, label, apex);
  }

  override findLabels(data: number, hash: number, octets: Uint8Array, at: number, length: number): number {
    this.#note(octets.slice(at, at + lengthOfName(octets, at)));
    return super.findLabels(data, hash, octets, at, length);
  }

  override findWildcard(data: number, key: NameKey, label: number, apex: number): number {
    this.#note(Uint8Array.of(1, asterisk, ...nameAt(key, label)));
    return super.findWildcard(data, key, label, apex);
  }
}

const nameAt = (key: NameKey, label: number): Name => key.octets.slice(key.starts[label], key.length);
const asterisk = 42;
