/**
 * One client: a connection for requests that are answered one by one, and further connections for octets that are not
 * requests.
 */
import { connect, type Socket } from "node:net";
import type { Target } from "../target.ts";
import { faultOf } from "./judge.ts";
import type { Ledger } from "./ledger.ts";
import { field, parseReply, type Reply } from "./replies.ts";
import type { FuzzRequest, RequestMaker } from "./requests.ts";
import type { Known } from "./sound.ts";

export interface LaneOptions {
  readonly target: Target;
  readonly ledger: Ledger;
  readonly maker: RequestMaker;
  readonly known: Known;
  readonly requests: number;
  /** Rights of the limited key. */
  readonly limited: ReadonlySet<string>;
}

/** Milliseconds for a reply: the service itself gives up earlier. */
const patience = 40_000;
/** Milliseconds of silence after which no more replies to noise are expected. */
const quiet = 80;

export async function runLane(options: LaneOptions): Promise<void> {
  const lane = new Lane(options);
  try {
    await lane.run();
  } finally {
    lane.close();
  }
}

class Lane {
  readonly #options: LaneOptions;
  #connection: Connection | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { ledger, maker, requests } = this.#options;
    for (let count = 0; count < requests && !ledger.isOver; count++) {
      const request = maker.next();
      ledger.send(request);
      if (request.operation === undefined) await this.#makeNoise(request);
      else await this.#ask(request);
    }
  }

  close(): void {
    this.#connection?.close();
  }

  /**
   * An existing connection may have been closed since its last reply; one that is opened for the request must give a
   * reply.
   */
  async #ask(request: FuzzRequest): Promise<void> {
    const { ledger } = this.#options;
    const began = performance.now();
    const kept = this.#connection?.isOpen ? this.#connection : undefined;
    const reply = (await kept?.ask(request)) ?? (await this.#open().ask(request));
    if (reply === undefined) return ledger.findIn(request, "no reply");
    ledger.receive(request, reply, performance.now() - began);
    this.#judge(request, reply);
    if (this.#connection!.rest > 0) ledger.findIn(request, "more than one reply", reply);
    if (field(reply.head, "connection") === "close" || this.#connection!.rest > 0) this.#connection!.close();
  }

  async #makeNoise(request: FuzzRequest): Promise<void> {
    const connection = this.#connect();
    const replies = await connection.makeNoise(request.octets);
    connection.close();
    for (const reply of replies) {
      this.#options.ledger.receive(request, reply, 0);
      this.#judge(request, reply);
    }
  }

  #judge(request: FuzzRequest, reply: Reply): void {
    const { ledger, known, limited } = this.#options;
    const fault = faultOf(request, reply, limited);
    if (fault !== undefined) ledger.findIn(request, fault, reply);
    const { operation, params, kind, method } = request;
    if (fault !== undefined || operation === undefined || reply.status !== 200 || kind === "path") return;
    if (method !== operation.method) return;
    if (field(reply.head, "content-type")?.startsWith("application/json")) {
      known.learn(operation, params, JSON.parse(reply.body));
    }
    const change = field(reply.head, "x-fairlead-change");
    if (change !== undefined) known.learnChange(change);
  }

  #open(): Connection {
    this.#connection?.close();
    this.#connection = this.#connect();
    return this.#connection;
  }

  #connect(): Connection {
    const { hostname, port } = new URL(this.#options.target.service.url);
    return new Connection(connect(Number(port), hostname));
  }
}

class Connection {
  isOpen = true;
  readonly #socket: Socket;
  #octets: Buffer = Buffer.alloc(0);
  /** Called with each event: octets, or the end. */
  #onEvent: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (octets: Buffer) => {
      this.#octets = Buffer.concat([this.#octets, octets]);
      this.#onEvent();
    });
    socket.on("error", () => {});
    for (const event of ["end", "close"]) {
      socket.on(event, () => {
        this.isOpen = false;
        this.#onEvent();
      });
    }
  }

  /** Octets that arrived after the last reply. */
  get rest(): number {
    return this.#octets.length;
  }

  /** Undefined when the connection or the time limit ends before there is a reply. */
  ask({ octets, method }: FuzzRequest): Promise<Reply | undefined> {
    this.#socket.write(octets);
    return new Promise((resolve) => {
      const end = (reply: Reply | undefined) => {
        clearTimeout(impatience);
        this.#onEvent = () => {};
        resolve(reply);
      };
      const impatience = setTimeout(() => end(undefined), patience);
      this.#onEvent = () => {
        const found = parseReply(this.#octets, method);
        if (found) {
          this.#octets = this.#octets.subarray(found.length);
          end(found.reply);
        } else if (!this.isOpen) end(undefined);
      };
      this.#onEvent();
    });
  }

  /** The complete replies that arrive before the connection ends or falls silent. */
  async makeNoise(octets: Buffer): Promise<Reply[]> {
    this.#socket.write(octets);
    await new Promise<void>((resolve) => {
      const silence = setTimeout(resolve, quiet);
      this.#onEvent = () => {
        silence.refresh();
        if (!this.isOpen) resolve();
      };
    });
    const replies: Reply[] = [];
    for (let found = parseReply(this.#octets, "GET"); found; found = parseReply(this.#octets, "GET")) {
      this.#octets = this.#octets.subarray(found.length);
      replies.push(found.reply);
    }
    return replies;
  }

  close(): void {
    this.isOpen = false;
    this.#socket.destroy();
  }
}
