/** Zones whose partners the settings of a start no longer allow. */
import { pino } from "pino";
import { expect, test } from "vitest";
import { startApi } from "../../../test/service/api.ts";
import { Egress } from "../../lib/address/egress.ts";
import type { Settings } from "../write/settings.ts";
import { CutOffZones } from "./cut-off.ts";

const api = await startApi();
const secondary = (primary_ip: string, ...other_ips: string[]) => ({
  secondary: { enabled: true, primary_ip, other_ips },
});
const primary = (ip: string, notify: boolean) => ({ primary: { enabled: true, secondaries: [{ ip, notify }] } });
const zones = {
  "public-in.example": secondary("192.0.2.1"),
  "private-in.example": secondary("192.0.2.1", "10.0.0.1"),
  "public-out.example": primary("192.0.2.1", true),
  "private-out.example": primary("10.0.0.2", true),
  "silent-out.example": primary("10.0.0.3", false),
};
for (const [zone, body] of Object.entries(zones)) await api.must("PUT", `zones/${zone}`, body);
const { account_id } = await api.store.db.selectFrom("zone").select("account_id").executeTakeFirstOrThrow();

async function found(options: { allow?: string[]; privateFor?: string }) {
  const lines: { msg: string; zones: string[]; more: number }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const egress = new Egress({ allow: [], own: [], ...options });
  const cutOff = new CutOffZones({ store: api.store, settings: { egress } as Settings }, log);
  await cutOff.report();
  return { count: await cutOff.count(), lines };
}

test("are named in the log, and counted", async () => {
  const { count, lines } = await found({});
  expect(count).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]!.zones.toSorted()).toEqual(["private-in.example", "private-out.example"]);
  expect(lines[0]).toMatchObject({ more: 0, msg: expect.stringContaining("--egress-allow") });
});

test("are none if the operator or the first account's default allows the partners", async () => {
  expect(await found({ allow: ["10.0.0.0/8"] })).toEqual({ count: 0, lines: [] });
  expect(await found({ privateFor: account_id })).toEqual({ count: 0, lines: [] });
  expect((await found({ privateFor: "another" })).count).toBe(2);
});
