/** npm run fuzz:mutants [-- --log]: the fuzzer has to find each mutant. */

import { findMutants } from "../machine/mutants.ts";
import type { Mutant } from "../machine/patched.ts";

const packets = 60_000;
const requests = 12_000;

interface ApiMutant extends Mutant {
  /** Whether the API's fuzzer has to find it. */
  readonly api?: true;
}

const mutants: readonly ApiMutant[] = [
  {
    what: "a reply with DO has another ID",
    file: "src/answer/reply/message.ts",
    from: "this.#header(query.id, flags,",
    to: "this.#header(query.edns.dnssecOk ? query.id ^ 1 : query.id, flags,",
  },
  {
    what: "a worker ends on an option",
    file: "src/dns/wire/edns.ts",
    from: "} else if (code < 32) this.asked |= 1 << code;",
    to: "} else if (code === 17) process.exit(9); else if (code < 32) this.asked |= 1 << code;",
  },
  {
    what: "an exception is thrown for a client subnet with family 0",
    file: "src/dns/wire/edns.ts",
    from: "if (family === 0) return prefix === 0;",
    to: `if (family === 0) throw new Error("seeded");`,
  },
  {
    what: "a worker spins on an opcode",
    file: "src/edge/serve/refusals.ts",
    from: "if (opcode !== Opcode.QUERY && opcode !== Opcode.NOTIFY) {",
    to: "while (opcode === 9);\n    if (opcode !== Opcode.QUERY && opcode !== Opcode.NOTIFY) {",
  },
  {
    what: "memory is kept for each query",
    file: "src/edge/workers/session.ts",
    from: "const isTimed = ",
    to: 'Object.assign(this.#later, { leak: [new Uint8Array(8192).fill(1), Reflect.get(this.#later, "leak")] });\n    const isTimed = ',
  },
  {
    what: "a refusal is larger than its query",
    file: "src/edge/serve/refusals.ts",
    from: "if (query.qclass !== Class.IN) return",
    to: "if (query.qclass !== Class.IN) opt.block = 468;\n    if (query.qclass !== Class.IN) return",
  },
  {
    what: "a client without OPT gets more than 512 octets",
    file: "src/edge/serve/serve.ts",
    from: "Math.max(leastUdp, Math.min(edns.payload, mostUdp)) : leastUdp",
    to: "Math.max(leastUdp, Math.min(edns.payload, mostUdp)) : mostUdp",
  },
  {
    what: "the question comes back in lower case",
    file: "src/answer/reply/message.ts",
    from: "if (query.hasQuestion) this.#copy(query.packet, query.start + headerOctets, query.questionEnd);",
    to: "if (query.hasQuestion) this.#copy(query.packet, query.start + headerOctets, query.questionEnd);\n    if (out[at + 13]! > 64 && out[at + 13]! < 91) out[at + 13]! |= 32;",
  },
  {
    what: "a response is answered",
    file: "src/dns/wire/message.ts",
    from: `if (this.flags & Flag.QR) return "silence";`,
    to: `if (this.flags & Flag.QR && this.opcode === 0) return "silence";`,
  },
  {
    what: "an octet follows a truncated message",
    file: "src/answer/reply/message.ts",
    from: "return this.#at - this.#start;\n  }\n\n  #counted",
    to: "return this.#at - this.#start + (this.truncated ? 1 : 0);\n  }\n\n  #counted",
  },
  {
    what: "NOTIMP has the opcode of a query",
    file: "src/answer/reply/message.ts",
    from: "(query.opcode << 11) |",
    to: "((query.opcode & 7) << 11) |",
  },
  {
    what: "TC is set over streams",
    file: "src/edge/serve/serve.ts",
    from: `if (transport !== "udp") return room;`,
    to: `if (transport === "https") return room;`,
  },
  {
    what: "a record without a type is a fault of the service",
    file: "src/dns/zonefile/records.ts",
    from: `throw new WireError("the record has no type");`,
    to: `throw new TypeError("seeded");`,
  },
  {
    api: true,
    what: "a NUL gets as far as the store",
    file: "src/http/body/json.ts",
    from: `if (text.includes("\\0")) return`,
    to: `if (text === "\\0") return`,
  },
  {
    api: true,
    what: "a refusal reveals where in the code it was made",
    file: "src/http/body/json.ts",
    from: "error instanceof Error ? error.message.slice(0, 200)",
    to: "error instanceof Error ? String(error.stack)",
  },
  {
    api: true,
    what: "deletions need no right",
    file: "src/http/run.ts",
    from: "this.#service.permit(caller,",
    to: `if (request.method !== "DELETE") this.#service.permit(caller,`,
  },
  {
    api: true,
    what: "a path that cannot be decoded is a fault of the service",
    file: "src/http/message/path.ts",
    from: `throw invalid("the path is not percent-encoded UTF-8",`,
    to: `throw new URIError("seeded",`,
  },
  {
    api: true,
    what: "a reply is not as documented",
    file: "src/control/people/allowlists/routes.ts",
    from: "({ id, name, values });",
    to: "({ id, name, values: values.length === 0 ? (null as never) : values });",
  },
];

await findMutants({
  name: "fuzz",
  mutants,
  command: ({ api }) =>
    api ? ["test/fuzz/api/run.ts", "--requests", `${requests}`] : ["test/fuzz/run.ts", "--packets", `${packets}`],
  // the first finding, after the lines about memory
  finding: (out) =>
    / FOUND$/m.test(out)
      ? (/^ {2}\S.*$/m.exec(out.replace(/^ {2}\d+ s: .*\n/gm, ""))?.[0].slice(0, 120) ?? out)
      : undefined,
  timeout: 120_000,
  directory: import.meta.dirname,
});
