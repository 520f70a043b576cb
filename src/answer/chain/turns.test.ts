/** Chains in turns of one filter each, by a clock that moves whenever it is read. */
import { expect, test } from "vitest";
import { parseAnswer, queryOf, steeredRecord, TestImage } from "../../../test/scenarios/image.ts";
import { ChainTurns } from "./turns.ts";

const zone = "example.com";
const firstTwo = { filter: "select_first_n", config: { N: 2 } };
const filters = [{ filter: "netfence_prefix", config: {} }, firstTwo, firstTwo, firstTwo];
const subnet = [0, 8, 0, 7, 0, 1, 24, 0, 198, 51, 100];
const query = queryOf({ name: `www.${zone}.`, type: "A", edns: 1232, options: subnet });

function imageOf() {
  let now = 0;
  const turns = new ChainTurns(() => now++);
  const image = new TestImage({ turns });
  image.put(zone, []);
  /** Gives the record two answers for the network of `subnet`, and one for another. */
  const put = (octet: number) => {
    const inside = [octet, octet + 1].map((last) => ({
      answer: [`192.0.2.${last}`],
      meta: { ip_prefixes: ["198.51.100.0/24"] },
    }));
    const outside = { answer: ["192.0.2.99"], meta: { ip_prefixes: ["203.0.113.0/24"] } };
    image.writer.putRecord(steeredRecord(zone, { type: "A", answers: [outside, ...inside], filters }));
    image.writer.commit();
  };
  put(1);
  const ask = () => image.send(query)!;
  /** Undefined unless the answer is ready. */
  const turn = () => {
    turns.begin(1);
    const octets = ask();
    turns.end(octets.length > 0);
    return octets.length > 0 ? octets : undefined;
  };
  return { put, ask, turn };
}

/** Gives turns until the answer is ready, and does something between two turns. */
function answered({ turn }: ReturnType<typeof imageOf>, between = () => {}) {
  for (let turns = 1; turns < 100; turns++) {
    const octets = turn();
    if (octets) return { turns, octets, answer: parseAnswer(octets).answer.map((line) => line.split(" ")[3]) };
    between();
  }
  throw new Error("no answer in a hundred turns");
}

test("the answer and its scope are those of a chain that runs at once, one query after the other", () => {
  const image = imageOf();
  const atOnce = image.ask();
  for (let queries = 0; queries < 3; queries++) {
    const { turns, octets } = answered(image);
    expect(turns).toBe(filters.length);
    expect(octets).toEqual(atOnce);
  }
});

test("another query may run the same chain between two turns", () => {
  const image = imageOf();
  expect(answered(image, () => void image.ask()).answer).toEqual(["192.0.2.1", "192.0.2.2"]);
});

test("a record that changes in each turn is answered, as it is then", () => {
  const image = imageOf();
  let octet = 1;
  const { answer } = answered(image, () => image.put(++octet));
  expect(answer).toEqual([`192.0.2.${octet}`, `192.0.2.${octet + 1}`]);
});
