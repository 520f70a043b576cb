/** Generated records in an image of this process, asked without sockets. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ImageReader } from "../../../src/answer/image/reader.ts";
import { ImageWriter } from "../../../src/answer/image/writer/writer.ts";
import { LiveReader } from "../../../src/answer/live/reader.ts";
import { LiveTable } from "../../../src/answer/live/table.ts";
import { createServe } from "../../../src/edge/serve/serve.ts";
import { atlas } from "../../../src/geo/facts/atlas.ts";
import { loadGeo } from "../../../src/geo/files/load.ts";
import { Geo } from "../../../src/geo/geo.ts";
import { recordState, zoneState } from "../../engine/states.ts";
import type { Side } from "./compare.ts";
import { shortAge } from "./feeds.ts";
import { loopback, type WrittenFile } from "./geo-files.ts";
import { zone } from "./records.ts";
import type { GeneratedWorld } from "./world.ts";

const client = { family: 4, address: Uint8Array.from(loopback.split(".").map(Number)), port: 53_000 } as const;

/** Here the id of a feed is its name. */
export async function inProcess({ files, feeds, records }: GeneratedWorld): Promise<Side> {
  const image = ImageWriter.create();
  const state = zoneState(zone);
  image.putZone(state, 1);
  for (const record of records)
    image.putRecord({ ...recordState(state, record.domain, record.type), ...stored(record) });
  image.commit();
  const table = new LiveTable();
  const live = new LiveReader(table.share());
  const geo = new Geo(await withFiles(files, loadGeo));
  const reader = new ImageReader(image.share(), 0);
  const serve = createServe(reader, {
    ...{ live, atlas, seed: 1 },
    locate: (octets, offset, length) => geo.find(octets, offset, length),
    onFault: (error) => {
      throw error;
    },
  });
  const out = Buffer.alloc(65_535);
  const known = feeds.filter(({ fate }) => fate !== "deleted");
  const put = (name: string, data: Readonly<Record<string, unknown>>, at: number | null) => {
    const { max_age = null, fallback = null } = known.find((feed) => feed.name === name) ?? {};
    table.put([{ feed_id: name, data, at, max_age, fallback }]);
  };
  for (const { name } of known) put(name, {}, null);
  return {
    async push(tables) {
      const at = Date.now();
      for (const [name, data] of tables) put(name, withoutNull(data), at);
      live.now = at + (shortAge + 1) * 1000;
    },
    async ask(packets) {
      return packets.map((packet) => {
        reader.enter();
        const length = serve(packet, 0, packet.length, client, "udp", out, 0, out.length);
        reader.leave();
        return Buffer.from(out.subarray(0, length));
      });
    },
  };
}

/** As the store has them: answers with ids, metadata without null. */
const stored = ({ answers, ...rest }: GeneratedWorld["records"][number]) => ({
  ...rest,
  answers: answers.map((answer, i) => ({ ...answer, id: String(i) })),
});

const withoutNull = (table: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => value !== null));

async function withFiles<T>(files: readonly WrittenFile[], use: (paths: readonly string[]) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-steering-"));
  try {
    return await use(writeFiles(directory, files));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Returns the paths, in order. */
export function writeFiles(directory: string, files: readonly WrittenFile[]): string[] {
  return files.map(({ name, content }) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  });
}
