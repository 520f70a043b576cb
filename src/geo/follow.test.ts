/** Replacement of geo files in use. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { newLog } from "../lib/log.ts";
import { followGeo } from "./follow.ts";
import { Geo } from "./geo.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-geo-"));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, "ranges.csv");
const replace = (text: string) => {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};
const client = Uint8Array.of(192, 0, 2, 7);

test("a replaced file is used from then on; an unreadable file leaves the earlier data in use", async () => {
  replace("192.0.2.0,192.0.2.255,DE\n");
  const onChange = vi.fn();
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const followed = await followGeo([path], { log, onChange, every: 20 });
  const country = () => new Geo(followed.data).find(client, 0, 4).country;
  expect(country()).toBe("DE");
  replace("192.0.2.0,192.0.2.255,FR\n# another\n");
  await vi.waitFor(() => expect(country()).toBe("FR"), { timeout: 10_000 });
  replace("192.0.2.0,nonsense,US\n");
  await vi.waitFor(() => expect(lines.join()).toContain(`${path}:1`), { timeout: 10_000 });
  expect(country()).toBe("FR");
  replace("192.0.2.0,192.0.2.255,US\n");
  await vi.waitFor(() => expect(country()).toBe("US"), { timeout: 10_000 });
  expect(onChange).toHaveBeenCalledTimes(2);
  followed.close();
});

test("a file that cannot be read prevents the start, with an error that names the file and the line", async () => {
  writeFileSync(path, "192.0.2.0,192.0.2.255,DE\n192.0.2.9,x,DE\n");
  await expect(followGeo([path], { log: newLog("silent", "test") })).rejects.toThrow(`${path}:2`);
});
