/** A clean stop: SIGTERM logs no error, at any moment of a start and later, also with clients. */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Daemon, freePort } from "../machine/processes.ts";
import { node, tree } from "../service/kit.ts";

/** Milliseconds after the start. */
const moments = [150, 400, 800, 1200, 1800, 2500, 4000, 6000, 10_000];
const patience = 30_000;

/** The lines that report something wrong: those of a log above the level "info", and all of a stack. */
const complaints = ({ printed }: Daemon) =>
  printed.split("\n").filter((line) => /"level":"(warn|error|fatal)"|^fairlead: |^ {4}at /.test(line));

interface Ports {
  readonly http: number;
  readonly dns: number;
  readonly metrics: number;
}

/** Connects again and again, and keeps connections of which some have sent half a request. */
async function visit({ http, dns, metrics }: Ports, signal: AbortSignal): Promise<void> {
  const open: Socket[] = [];
  const visitors = [http, dns, metrics].map(async (port) => {
    while (!signal.aborted) {
      if (open.length < 60) {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        if (open.length % 2) socket.write(port === dns ? "\0\x20" : "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\nGET /");
        open.push(socket);
      }
      await fetch(`http://127.0.0.1:${http}/v1/zones`).then(
        (reply) => reply.text(),
        () => {},
      );
      await delay(50);
    }
  });
  await Promise.all(visitors);
  for (const socket of open) socket.destroy();
}

async function stopAfter(data: string, moment: number, isVisited: boolean): Promise<void> {
  const ports = { http: await freePort(), dns: await freePort(), metrics: await freePort() };
  const flags = Object.entries(ports).flatMap(([name, port]) => [`--${name}`, `127.0.0.1:${port}`]);
  const args = [join(tree, "bin/fairlead.js"), "serve", "--data", data, ...flags];
  if (process.getuid?.() === 0) args.push("--user", "root");
  const daemon = new Daemon(node, args, { env: { PATH: process.env["PATH"] } });
  const visiting = new AbortController();
  const visits = isVisited ? visit(ports, visiting.signal) : Promise.resolve();
  await delay(moment);
  expect(daemon.ended).toBe(false);
  const code = await daemon.end("SIGTERM", patience);
  visiting.abort();
  await visits;
  expect(complaints(daemon)).toEqual([]);
  // before the program is loaded, the signal ends the process
  const isLoaded = daemon.child.signalCode === null || daemon.printed !== "";
  expect(code).toBe(isLoaded ? 0 : null);
}

describe.concurrent("SIGTERM", () => {
  test.each(moments)(
    "%i ms after the first start and a second one",
    async (moment) => {
      const data = mkdtempSync(join(tmpdir(), "fairlead-stop-"));
      for (const isVisited of [false, true]) await stopAfter(data, moment, isVisited);
      rmSync(data, { recursive: true });
    },
    120_000,
  );
});
