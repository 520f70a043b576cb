/** A change set that names the state from which it began. */
import { expect, test } from "vitest";
import { type Answer, type Fields, startApi } from "../../../test/service/api.ts";

const api = await startApi();
let zones = 0;
const put = (zone: string, label: string, ttl = 60) => ({
  ...{ action: "put", zone, domain: `${label}.${zone}`, type: "A", ttl },
  answers: [{ answer: ["192.0.2.1"] }],
});
const send = (body: Fields, query = "") => api.call("PUT", `changesets${query}`, body);
const told = ({ status, body }: Answer) => [status, body["message"]];

/** A new zone, and its serial. */
async function newZone() {
  const zone = `expected${++zones}.example`;
  const { serials } = await api.numbered(await api.call("PUT", `zones/${zone}`, {}));
  return { zone, serial: Object.values(serials)[0]! };
}

test("it is written while the zone has the serial, and refused afterwards with the name of the zone", async () => {
  const { zone, serial } = await newZone();
  const expected = [{ zone, serial }];
  const first = await send({ records: [put(zone, "a")], expect: expected });
  expect(first.status).toBe(200);
  const { serials } = await api.numbered(first);
  for (const query of ["", "?dry_run=true"]) {
    const answer = await send({ records: [put(zone, "b")], expect: expected }, query);
    expect(told(answer)).toEqual([412, `expect[0] ${zone}: the zone has changed since version ${serial}`]);
    expect(answer.body["details"]).toMatchObject({ zone, expected: serial, serial: Object.values(serials)[0] });
  }
  expect((await api.call("GET", `zones/${zone}/b.${zone}/A`)).status).toBe(404);
});

test("a change that has no serial yet counts as well", async () => {
  const { zone, serial } = await newZone();
  await api.store.transaction(
    async (tx) => {
      // the sequencer waits
      await tx.selectFrom("sequencer").selectAll().forUpdate().execute();
      await api.must("PUT", `zones/${zone}/a.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
      expect(await api.must("GET", `zones/${zone}?records=false`)).toMatchObject({ serial });
      expect((await send({ records: [put(zone, "b")], expect: [{ zone, serial }] })).status).toBe(412);
    },
    { within: 20_000 },
  );
});

test("of many change sets from the same state one is written", async () => {
  const { zone, serial } = await newZone();
  const all = Array.from({ length: 8 }, (_, n) => send({ records: [put(zone, `n${n}`)], expect: [{ zone, serial }] }));
  const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
});

test("all zones count, also those that it does not write", async () => {
  const [one, two] = [await newZone(), await newZone()];
  await api.numbered(await send({ records: [put(two.zone, "a")] }));
  const answer = await send({ records: [put(one.zone, "a")], expect: [one, two] });
  expect(told(answer)).toEqual([412, `expect[1] ${two.zone}: the zone has changed since version ${two.serial}`]);
});

test("a zone that is gone, named twice or closed is refused", async () => {
  const { zone, serial } = await newZone();
  const gone = await newZone();
  await api.must("DELETE", `zones/${gone.zone}`);
  const records = [put(zone, "a")];
  expect(told(await send({ records, expect: [gone] }))).toEqual([
    412,
    `expect[0] ${gone.zone}: the zone does not exist any more`,
  ]);
  const twice = await send({
    records,
    expect: [
      { zone, serial },
      { zone: `${zone}.`, serial },
    ],
  });
  expect(told(twice)).toEqual([400, `expect[1] ${zone}.: the zone is named twice`]);
  const narrow = await api.limited({ dns: { zones_deny: [gone.zone] } });
  expect((await narrow.call("PUT", "changesets", { records, expect: [gone] })).status).toBe(403);
  const stranger = await api.stranger();
  expect((await stranger.call("PUT", "changesets", { records, expect: [{ zone, serial }] })).status).toBe(412);
});
