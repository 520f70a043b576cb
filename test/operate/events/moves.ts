/** The store is moved elsewhere by export and import, while the controls are stopped. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Installation } from "../installation.ts";
import { EmbeddedStore, type StorePlace } from "../place.ts";
import { StoreServer } from "../server.ts";
import type { Event } from "./event.ts";

/** Milliseconds in which the embedded store is used. */
const stay = 4000;

/** `into`: the flags of the place into which the import goes; `arrived` makes it ready for use. */
async function move(
  installation: Installation,
  file: string,
  into: readonly string[],
  arrived: () => Promise<StorePlace>,
) {
  await installation.withoutControls(async () => {
    const { store } = installation;
    await installation.command("export", file, ...installation.at(store));
    await installation.command("import", file, ...into);
    installation.follow(await arrived());
    await store.kill();
  });
}

async function moveToServer(installation: Installation, round: string): Promise<void> {
  const server = await StoreServer.make(installation.disk.directory, round);
  await move(
    installation,
    join(installation.directory, `${round}.to-server`),
    installation.at(server),
    async () => server,
  );
}

const toServer: Event = {
  name: "the store is moved to another server",
  loses: "nothing",
  prepare: async (installation, round) => () => moveToServer(installation, round),
};

const toEmbedded: Event = {
  name: "the store is moved into the embedded PostgreSQL, and back",
  loses: "nothing",
  prepare: async (installation, round) => async () => {
    const data = join(installation.directory, `${round}.data`);
    const masterKey = installation.masterKeyFile;
    await move(
      installation,
      join(installation.directory, `${round}.to-embedded`),
      ["--data", data, "--master-key-file", masterKey],
      async () => {
        const store = new EmbeddedStore(data);
        await store.start();
        return store;
      },
    );
    await delay(stay);
    await moveToServer(installation, round);
  },
};

export const moves: readonly Event[] = [toServer, toEmbedded];
