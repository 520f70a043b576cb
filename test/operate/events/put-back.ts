/** The store goes back to an earlier moment. */
import { setTimeout as delay } from "node:timers/promises";
import { Relay } from "../relay.ts";
import type { Event } from "./event.ts";

/** Milliseconds in which the store is a standby. */
const asStandby = 2000;

const dump: Event = {
  name: "a dump is restored",
  loses: "later writes",
  async prepare(installation, round) {
    await installation.server.dump(round);
    return () => installation.withoutControls(() => installation.server.restoreDump(round));
  },
};

const recovery: Event = {
  name: "the store is recovered to a moment",
  loses: "later writes",
  async prepare({ server }, round) {
    await server.backUp(round);
    await server.sql(`select pg_create_restore_point('${round}')`);
    await server.sql("select pg_switch_wal()");
    return () => server.recover(round, round);
  },
};

const asynchronous: Event = {
  name: "a standby is promoted",
  loses: "later writes",
  async prepare(installation, round) {
    const { server } = installation;
    const line = await Relay.open(server.port);
    const standby = await server.standby(round, line.port);
    line.cut();
    return async () => {
      await server.kill();
      // everybody reaches a server that takes no writes yet
      installation.follow(standby);
      await delay(asStandby);
      await standby.promote();
      await line[Symbol.asyncDispose]();
    };
  },
};

const synchronous: Event = {
  name: "a synchronous standby is promoted",
  loses: "nothing",
  async prepare(installation, round) {
    const { server } = installation;
    const standby = await server.standby(round, server.port, "synchronous");
    return async () => {
      await server.kill();
      installation.follow(standby);
      await delay(asStandby);
      await standby.promote();
    };
  },
};

const imported: Event = {
  name: "an export is imported into an empty database",
  loses: "later writes",
  async prepare(installation, round) {
    const { server } = installation;
    const file = `${installation.directory}/${round}`;
    await installation.command("export", file, ...installation.at(server));
    return () =>
      installation.withoutControls(async () => {
        await server.sql("drop database fairlead with (force)", "postgres");
        await server.sql("create database fairlead", "postgres");
        await installation.command("import", file, ...installation.at(server));
      });
  },
};

export const waysBack: readonly Event[] = [dump, recovery, asynchronous, synchronous, imported];
