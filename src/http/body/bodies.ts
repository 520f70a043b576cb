/** JSON bodies of requests: read and parsed in bounded memory and in turns. */
import type { RequestBody } from "./body.ts";
import type { JsonLimits } from "./bounds.ts";
import { BodyParser, type ParsedBody } from "./parser.ts";
import { BodyRoom, type BodyShare } from "./room.ts";

export interface BodyLimits {
  readonly octets: number;
  readonly json: JsonLimits;
}

export class Bodies {
  readonly room = new BodyRoom();
  readonly parser = new BodyParser();

  /** The body of one request; `account` is undefined for requests without a caller. */
  of(account: string | undefined, address: string): HeldBody {
    return new HeldBody(this, account === undefined ? `address ${address}` : `account ${account}`, address);
  }

  close(): Promise<void> {
    return this.parser.close();
  }
}

/** Holds memory from the first octet until it is disposed of. */
export class HeldBody {
  readonly #bodies: Bodies;
  readonly #holder: string;
  readonly #address: string;
  #share: BodyShare | undefined;

  constructor(bodies: Bodies, holder: string, address: string) {
    this.#bodies = bodies;
    this.#holder = holder;
    this.#address = address;
  }

  async read(body: RequestBody, { octets, json }: BodyLimits): Promise<ParsedBody> {
    this.#share = this.#bodies.room.share(this.#holder, this.#address);
    const whole = await body.whole(octets, this.#share);
    return this.#bodies.parser.parse(whole, json, this.#holder, this.#address);
  }

  [Symbol.dispose](): void {
    this.#share?.leave();
  }
}
