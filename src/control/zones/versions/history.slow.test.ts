/** A zone with a long random history: every version can be read by id and by time, and restored. */
import { expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { seededRandom } from "../../../../test/machine/random.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";

const clock = fakeClock();
const api = await startApi({ clock, deletionGuard: 100 });
const random = seededRandom(11);
const draw = (count: number) => Math.floor(random() * count);
const zone = "long.example";
const path = `zones/${zone}`;
const changes = 300;
/** Coprime to the number of versions. */
const stride = 211;

interface Seen {
  readonly id: number;
  readonly at: number;
  readonly state: Fields;
}

/** The zone's state without the times that the service sets. */
async function stateOf(query = ""): Promise<Fields & { serial: number }> {
  const { updated_at: _, records, serial, ...rest } = await api.must(`GET`, `${path}?expand=true${query}`);
  return {
    ...rest,
    serial: Number(serial),
    records: (records as Fields[]).map(({ updated_at: _, ...record }) => record),
  };
}

const label = () => `r${draw(12)}.${zone}`;
const answers = () =>
  Array.from({ length: 1 + draw(3) }, () => ({ answer: [`192.0.2.${draw(250)}`], meta: { priority: draw(3) } }));
const record = () => ({ domain: label(), type: "A", ttl: draw(5), answers: answers() });
const existing = (seen: readonly Seen[]) => {
  const records = (seen.at(-1)!.state["records"] as { domain: string; type: string }[]).filter(
    ({ type }) => type === "A",
  );
  return records[draw(records.length)];
};

/** Random requests, most of which change the zone. */
const acts: readonly ((
  seen: readonly Seen[],
) => Promise<[method: string, path: string, body?: unknown] | undefined>)[] = [
  async () => ["POST", `${path}/records`, { put: [record()] }],
  async () => ["POST", `${path}/records`, { put: [record()] }],
  async (seen) => {
    const one = existing(seen);
    return one && ["POST", `${path}/${one.domain}/A`, { answers: answers() }];
  },
  async (seen) => {
    const one = existing(seen);
    return one && ["DELETE", `${path}/${one.domain}/A`];
  },
  async (seen) => {
    const one = existing(seen);
    return one && ["POST", `${path}/${one.domain}/A/answers`, { add: answers().slice(0, 1) }];
  },
  async () => ["POST", path, { ttl: draw(1000), tags: { [`t${draw(4)}`]: "x" } }],
  async () => {
    const other = {
      action: "put",
      zone,
      domain: `t${draw(9)}.${zone}`,
      type: "TXT",
      answers: [{ answer: [`${draw(99)}`] }],
    };
    return ["PUT", "changesets", { zones: [{ action: "update", zone, nx_ttl: draw(900) }], records: [other] }];
  },
  async (seen) => (seen.length > 20 ? ["POST", `${path}/versions/${seen[draw(seen.length)]!.id}/activate`] : undefined),
  async (seen) => {
    const one = existing(seen);
    const { id } = seen[draw(seen.length)]!;
    if (!one || (await api.call("GET", `${path}/${one.domain}/A?version=${id}`)).status !== 200) return undefined;
    return ["POST", `${path}/${one.domain}/A/restore`, { version: id }];
  },
  async () => (draw(4) === 0 ? ["DELETE", path] : undefined),
];

/** Makes one change of the zone; a deletion of the zone is undone at once. */
async function change(seen: readonly Seen[]): Promise<void> {
  for (;;) {
    const act = await acts[draw(acts.length)]!(seen);
    if (!act) continue;
    clock.advance(10_000);
    const answer = await api.call(...act);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    if (!answer.headers.has("x-fairlead-change")) continue;
    if (act[0] === "DELETE" && act[1] === path) {
      clock.advance(10_000);
      await api.numbered(await api.call("POST", `deletedzones/${zone}/undelete`));
      return;
    }
    await api.numbered(answer);
    return;
  }
}

test(`each of ${changes} changes leaves a version that can be read and restored`, { timeout: 300_000 }, async () => {
  await api.numbered(await api.call("PUT", path, {}));
  const seen: Seen[] = [];
  const note = async () => {
    const state = await stateOf();
    seen.push({ id: state.serial, at: clock.now() / 1000, state });
  };
  await note();
  while (seen.length <= changes) {
    await change(seen);
    await note();
  }
  const together = 8;
  for (let n = 0; n < seen.length; n += together) {
    const some = seen.slice(n, n + together);
    const states = some.map(({ state }) => state);
    expect(await Promise.all(some.map(({ id }) => stateOf(`&version=${id}`)))).toEqual(states);
    expect(await Promise.all(some.map(({ at }) => stateOf(`&at=${at + draw(10)}`)))).toEqual(states);
  }
  // in large steps, so that a restored version is sometimes older and sometimes newer than the one restored before it
  for (let n = 0; n < seen.length; n++) {
    const { id, state } = seen[(n * stride) % seen.length]!;
    clock.advance(10_000);
    const answer = await api.call("POST", `${path}/versions/${id}/activate`);
    expect(answer.status).toBe(200);
    if (answer.headers.has("x-fairlead-change")) await api.numbered(answer);
    expect({ ...(await stateOf()), serial: id }).toEqual(state);
    if (n % 20 === 0) {
      expect(await api.must("GET", `${path}/diff?from=${id}`)).toMatchObject({ settings: null, records: [] });
    }
  }
});
