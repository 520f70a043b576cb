/** EDNS options in queries and replies, by their code. */
import { type Answer, parseAnswer, type TestImage } from "./image.ts";
import { opt, option, packet, question } from "./packet.ts";

export const code = { nsid: 3, cookie: 10, keepalive: 11, padding: 12, error: 15 } as const;

export type Option = readonly [code: number, data: readonly number[] | Uint8Array];

/** A query with an OPT record that has these options; `text` is `name type`, with the type as a number. */
export function queryWith(options: readonly Option[], text = "www.example.com. 1"): Uint8Array {
  const [name = "", type] = text.split(" ");
  const additionals = [opt({ options: options.map(([number, data]) => option(number, data)) })];
  return packet({ questions: name === "" ? [] : [question(name, Number(type))], additionals });
}

/** The options of a reply, in hexadecimal. */
export function optionsOf({ opt: record }: Pick<Answer, "opt">): Record<number, string> {
  const data = Buffer.from(record?.data ?? []);
  const found: Record<number, string> = {};
  for (let at = 0; at < data.length; at += 4 + data.readUInt16BE(at + 2)) {
    found[data.readUInt16BE(at)] = data.toString("hex", at + 4, at + 4 + data.readUInt16BE(at + 2));
  }
  return found;
}

/** An image's reply to a query with options. */
export function replyTo(image: TestImage, query: Uint8Array, transport: Parameters<TestImage["send"]>[1] = "udp") {
  const octets = image.send(query, transport);
  if (!octets) throw new Error("no answer");
  const answer = parseAnswer(octets);
  return { ...answer, options: optionsOf(answer) };
}
