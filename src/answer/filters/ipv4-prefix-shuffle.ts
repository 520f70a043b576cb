/** Replaces an answer with random addresses of its prefixes. */
import { number } from "../../lib/fields.ts";
import { reader } from "../lists/list.ts";
import { type PrefixSet, prefixes } from "../lists/prefixes.ts";
import { answerOf, mostAddresses } from "../model/selection.ts";
import { type FilterClient, filter } from "./contract/filter.ts";

export const ipv4PrefixShuffle = filter({
  id: "ipv4_prefix_shuffle",
  shortdesc: "Answer with random addresses of IPv4 prefixes",
  desc: "Replaces an answer with <code>N</code> different random addresses of its <code>ip_prefixes</code>, or with all of them if there are fewer. Answers without IPv4 prefixes stay unchanged.",
  tier: 3,
  kind: "modifies",
  inputs: ["ip_prefixes"],
  config: { N: number({ shortdesc: "Number of addresses for each answer", default: "1", least: 1, whole: true }) },
  rectypes: ["A"],
  reason: () => "the addresses of earlier answers fill the reply",
  compile: ({ N }, record) => {
    const networks = record.values("ip_prefixes", addressesOf);
    if (networks.isEmpty) return undefined;
    const drawn = new Float64Array(Math.min(N, mostAddresses));
    const items = new Int32Array(record.answers + mostAddresses);
    return (selection, client) => {
      const count = selection.save(items);
      selection.cut(0);
      for (let rank = 0; rank < count; rank++) {
        const answer = answerOf(items[rank]!);
        const set = networks.at(answer);
        if (set === undefined) {
          selection.put(items[rank]!);
          continue;
        }
        if (selection.isFull) continue;
        const addresses = draw(set.addresses, drawn, client);
        for (let i = 0; i < addresses; i++) selection.putAddress(answer, set.address(drawn[i]!));
      }
    };
  },
});

/**
 * Fills `drawn` with different numbers below `size`, in random order (Floyd's algorithm, then a shuffle). Returns their
 * number, at most `size`.
 */
function draw(size: number, drawn: Float64Array, client: FilterClient): number {
  const count = Math.min(size, drawn.length);
  for (let i = 0; i < count; i++) {
    const last = size - count + i;
    const number = Math.floor(client.random() * (last + 1));
    drawn[i] = isAmong(drawn, i, number) ? last : number;
  }
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(client.random() * (i + 1));
    const number = drawn[i]!;
    drawn[i] = drawn[other]!;
    drawn[other] = number;
  }
  return count;
}

function isAmong(drawn: Float64Array, count: number, number: number): boolean {
  for (let i = 0; i < count; i++) if (drawn[i] === number) return true;
  return false;
}

const read = reader(prefixes);

function addressesOf(value: unknown): PrefixSet | undefined {
  const set = read(value);
  return set?.hasAddresses ? set : undefined;
}
