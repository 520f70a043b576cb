/** Answers that do not fit into a datagram. */
import { rdataFromApi } from "../../../../dns/rdata/codec.ts";
import { typeNamed } from "../../../../dns/type-names.ts";
import { isSingle } from "../../../zones/model/record/rules.ts";
import { replyOctets } from "./parts/octets.ts";
import { mostLeft, rule } from "./rule.ts";

/** The limit of DNS Flag Day 2020 for a datagram in octets, which avoids fragmentation. */
const datagram = 1232;

export const largeReply = rule({
  code: "large_reply",
  check({ zone, record, links }) {
    const type = typeNamed(record.type);
    if (!type || isSingle(type)) return [];
    const most = Math.min(record.answers.length, ...links.map(mostLeft));
    const largest = record.answers
      .map((answer) => ({ answer, octets: rdataFromApi(type, answer.answer).length }))
      .sort((a, b) => b.octets - a.octets)
      .slice(0, most);
    // an upper bound: compression only makes the reply smaller
    const atMost = largest.reduce((sum, { octets }) => sum + octets + recordHead, messageHead + record.domain.length);
    if (atMost <= datagram) return [];
    const octets = replyOctets(zone, { ...record, answers: largest.map(({ answer }) => answer) }, type);
    if (octets <= datagram) return [];
    const message = `a reply may have ${octets} octets: above ${datagram} it is truncated over UDP, and resolvers ask again over TCP`;
    return [{ field: "answers", message }];
  },
});

/** Owner by reference, type, class, TTL and length. */
const recordHead = 12;
/** Header, the rest of the question, and OPT. */
const messageHead = 12 + 6 + 11;
