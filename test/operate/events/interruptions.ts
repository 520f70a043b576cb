/** Processes, the store, its disk or the line to it are away for a while. */
import { setTimeout as delay } from "node:timers/promises";
import { type Event, simple } from "./event.ts";

/** Milliseconds for which something is away. */
const away = 4000;

const restarted = simple("the controls are restarted one after the other", async ({ controls }) => {
  for (const control of controls) {
    await control.end();
    await control.start();
  }
});

const killed = simple("both controls are killed", async ({ controls }) => {
  await Promise.all(controls.map((control) => control.end("SIGKILL")));
  await Promise.all(controls.map((control) => control.start()));
});

const storeRestarted = simple("PostgreSQL is restarted", ({ server }) => server.restart());

const storeKilled = simple("PostgreSQL is killed", async ({ server }) => {
  await server.kill();
  await delay(away);
  await server.start();
});

const power = simple("the power fails", async ({ controls, edges, server }) => {
  const running = edges.filter((edge) => edge.isRunning);
  const parts = [...controls, ...running];
  await Promise.all([...parts.map((part) => part.end("SIGKILL")), server.kill()]);
  // an edge starts before its store
  await Promise.all(running.map((edge) => edge.start()));
  await server.start();
  await Promise.all(controls.map((control) => control.start()));
});

const cutOff = simple("the controls are cut off from the store", async ({ relay }) => {
  relay.cut();
  await delay(away);
  relay.restore();
});

const readOnly = simple("the store takes no writes", async ({ server }) => {
  await server.set("default_transaction_read_only", "on");
  await delay(away);
  await server.set("default_transaction_read_only", "off");
});

const fullDisk: Event = {
  ...simple("the disk of the store is full", async ({ disk, server }) => {
    disk.fill();
    await delay(away);
    disk.free();
    // PostgreSQL ends when its log finds no room
    if (!(await server.isRunning())) await server.start();
  }),
  needsRoot: true,
};

export const interruptions: readonly Event[] = [
  ...[restarted, killed, storeRestarted, storeKilled],
  ...[power, cutOff, readOnly, fullDisk],
];
