/** The delegation of a zone at its parent against the answers of an edge; one server plays resolver, parent and edge. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test } from "vitest";
import { answering, type Sections } from "../../../../test/network/answering.ts";
import { checkDelegation } from "./delegation.ts";

const [NS, A] = [2, 1];
const ns = (name: string) => `example.test. 300 NS ${name}`;
const edgeAnswers = {
  [`example.test. ${NS}`]: { answer: [ns("ns1.example.test."), ns("ns.other.test.")] },
  [`ns1.example.test. ${A}`]: { answer: ["ns1.example.test. 300 A 192.0.2.1"] },
};
const resolverAnswers = {
  [`test. ${NS}`]: { answer: ["test. 300 NS a.test."] },
  [`a.test. ${A}`]: { answer: ["a.test. 300 A 127.0.0.1"] },
  [`ns.other.test. ${A}`]: { answer: ["ns.other.test. 300 A 198.51.100.1"] },
};

/** Each finding that is not ok, or the texts of all if all are. */
async function examine(referral: Sections, resolver: Record<string, Sections> = resolverAnswers, edge = edgeAnswers) {
  const [edgePort, resolverPort, parentPort] = await Promise.all([
    answering(edge),
    answering(resolver),
    answering({ [`example.test. ${NS}`]: referral }),
  ]);
  const dns = [{ address: "127.0.0.1", port: edgePort }];
  const found = await checkDelegation({ dns, resolver: [`127.0.0.1:${resolverPort}`] }, "Example.TEST", parentPort);
  return found.map(({ state, text }) => `${state}: ${text}`);
}

const glue = ["ns1.example.test. 300 A 192.0.2.1"];

test("a delegation with the same name servers and glue is ok", async () => {
  const authority = [ns("NS1.example.test."), ns("ns.other.test.")];
  expect(await examine({ authority, additional: glue })).toEqual([
    "ok: example.test is delegated to ns.other.test, ns1.example.test, as its NS record says",
    "ok: the parent's glue for ns1.example.test is 192.0.2.1, as here",
  ]);
});

test("name servers that only one side has are failed", async () => {
  const authority = [ns("ns1.example.test."), ns("old.other.test.")];
  const resolver = { ...resolverAnswers, [`old.other.test. ${A}`]: { answer: ["old.other.test. 300 A 192.0.2.9"] } };
  expect((await examine({ authority, additional: glue }, resolver)).slice(0, 2)).toEqual([
    "failed: example.test is also delegated to old.other.test, which its NS record here lacks",
    "failed: example.test is not delegated to ns.other.test, which its NS record here has",
  ]);
});

test("missing and wrong glue, and a name server without an address, are failed", async () => {
  const authority = [ns("ns1.example.test."), ns("ns.other.test.")];
  expect((await examine({ authority })).at(-1)).toBe("failed: the parent has no glue for ns1.example.test");
  const additional = ["ns1.example.test. 300 A 192.0.2.7"];
  expect((await examine({ authority, additional })).at(-1)).toBe(
    "failed: the parent's glue for ns1.example.test is 192.0.2.7; here it has 192.0.2.1",
  );
  const { [`ns.other.test. ${A}`]: _, ...nameless } = resolverAnswers;
  expect(await examine({ authority, additional: glue }, nameless)).toContain(
    "failed: the name server ns.other.test has no address",
  );
});

test("a zone that is not delegated, or that the edge does not answer, is failed", async () => {
  expect(await examine({})).toEqual(["failed: example.test is not delegated"]);
  expect(await examine({}, resolverAnswers, {} as typeof edgeAnswers)).toEqual([
    expect.stringMatching(/^failed: the edge at 127\.0\.0\.1:\d+ does not answer for example\.test$/),
  ]);
});

test("without a network the delegation is not known, which is a warning", async () => {
  const port = await answering(edgeAnswers);
  const closed = createSocket("udp4").bind(0, "127.0.0.1");
  await once(closed, "listening");
  const { port: nobody } = closed.address();
  closed.close();
  const dns = [{ address: "127.0.0.1", port }];
  const found = await checkDelegation({ dns, resolver: [`127.0.0.1:${nobody}`] }, "example.test");
  expect(found).toMatchObject([{ state: "warning", text: expect.stringContaining("does not answer") }]);
}, 20_000);
