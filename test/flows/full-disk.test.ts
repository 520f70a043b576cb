/** A disk that is full: nothing that was acknowledged is lost, DNS goes on, and all is well when there is room again. */
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { service } from "../kit.ts";

const megabytes = 256;
const zone = "full.example";
const text = "x".repeat(200);
/** Records of one request: a few hundred kilobytes of the store's log. */
const batch = 500;

/** A command that runs another one with a small file system of its own at `directory`, as any user may. */
const onSmallDisk = (directory: string) => [
  ...["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"],
  `mount -t tmpfs -o size=${megabytes}m,mode=700 none "$0" && exec "$@"`,
  directory,
];

/** Takes all the room that is left, but for so many megabytes. */
function fill(path: string, left: number): void {
  for (let size = 1 << 20; size >= 4096; size >>= 1) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
  truncateSync(path, statSync(path).size - left * 2 ** 20);
}

test.each([
  ["no room", 0],
  ["room for some records", 10],
])("%s: writes are refused or acknowledged for good, and what is there is answered", async (_, left) => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-full-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  await using running = await service({ data, inside: onSmallDisk(data) });
  await running.zone(zone);
  await running.put(zone, `www.${zone} A`, ["192.0.2.1"]);
  await running.daemon.until(async () => (await running.ask(`www.${zone} A`)).length === 1);
  const put = (round: number) =>
    running.api("POST", `zones/${zone}/records`, {
      put: Array.from({ length: batch }, (_, n) => ({
        domain: `n${n}.r${round}.${zone}`,
        type: "TXT",
        answers: [{ answer: [text] }],
      })),
    });
  const filler = join(running.files, "filler");
  fill(filler, left);
  const acknowledged: number[] = [];
  let round = 0;
  let status = 200;
  for (; status === 200 && round < 500; round++) {
    const reply = await put(round);
    status = reply.status;
    if (status === 200) acknowledged.push(round);
    else expect(reply.body).toMatchObject({ message: expect.any(String) });
  }
  expect([503, 507]).toContain(status);
  expect(await running.ask(`www.${zone} A`)).toEqual([`www.${zone}. 3600 IN A 192.0.2.1`]);
  rmSync(filler);
  await running.daemon.until(async () => (await put(round)).status === 200, 60_000);
  for (const one of [...acknowledged, round]) {
    const name = `n${batch - 1}.r${one}.${zone}`;
    expect((await running.api("GET", `zones/${zone}/${name}/TXT`)).status).toBe(200);
    await running.daemon.until(async () => (await running.ask(`${name} TXT`)).length === 1, 60_000);
  }
});
