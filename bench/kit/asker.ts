/** Repeats one question over UDP to see when its answer changes. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { question } from "../../test/dns/message.ts";
import { labels } from "../../test/dns/names.ts";

/** Milliseconds after which a query counts as lost. */
const patience = 1000;
/** Milliseconds between an answer and the next question. Without a pause, the questions alone would fill two cores. */
const usualPause = 0.25;

const nothing = new Int32Array(new SharedArrayBuffer(4));

export interface Asker {
  /** Queries without an answer so far. */
  readonly unanswered: number;
  /** Asks until the last answer in the reply is one of these addresses. */
  until(...addresses: readonly string[]): Promise<void>;
  close(): void;
}

/** Asks a server on loopback for the addresses of a name; `pause` is in milliseconds. */
export async function askerOf(port: number, domain: string, pause = usualPause): Promise<Asker> {
  const socket = createSocket("udp4");
  socket.connect(port, "127.0.0.1");
  await once(socket, "connect");
  const query = question(labels(domain), 1);
  let unanswered = 0;
  let asked = Number.POSITIVE_INFINITY;
  let settle: (answer: Buffer | undefined) => void = () => {};
  // allocates little for each question, since garbage collection would be measured as well
  const wait = (resolve: typeof settle) => (settle = resolve);
  socket.on("message", (answer) => settle(answer));
  const watch = setInterval(() => {
    if (performance.now() - asked > patience) settle(undefined);
  }, patience / 10);
  const ask = async (): Promise<Buffer> => {
    for (;;) {
      const answered = new Promise<Buffer | undefined>(wait);
      asked = performance.now();
      socket.send(query);
      const answer = await answered;
      asked = Number.POSITIVE_INFINITY;
      if (answer) return answer;
      unanswered++;
    }
  };
  return {
    get unanswered() {
      return unanswered;
    },
    async until(...addresses) {
      const wanted = addresses.map((address) => Buffer.from(address.split(".").map(Number)));
      const isReached = (answer: Buffer) => wanted.some((rdata) => answer.subarray(-4).equals(rdata));
      while (!isReached(await ask())) await Atomics.waitAsync(nothing, 0, 0, pause).value;
    },
    close() {
      clearInterval(watch);
      socket.close();
    },
  };
}
