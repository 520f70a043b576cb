/** The carrier inside a site: a follower reads the change stream from PostgreSQL itself, over one connection. */
import type pg from "pg";
import { openLoad, parseBody } from "../body.ts";
import {
  type Baseline,
  type Change,
  type ChangeSet,
  changeChannel,
  configuration,
  digestsNews,
  type Follower,
  type RecordState,
  type ZoneState,
} from "../change.ts";
import { type ContentsReference, verifiedParts } from "../contents.ts";
import { pull } from "../pull.ts";
import { listed, recordColumns, recordState, zoneColumns, zoneState } from "../state.ts";
import type { Sequenced, StreamSource } from "../stream-source.ts";
import { type FollowOptions, StreamBroken, type Subscription } from "../subscription.ts";
import { StreamConnection } from "./connection.ts";
import { reasonOf } from "./failure.ts";

/** Follows the stream until closed, through restarts of the store. Resolves when the first baseline has been taken. */
export function followPostgres(
  url: string,
  follower: Follower,
  { log, id, signal, from, onDigests = () => {} }: FollowOptions,
): Promise<Subscription> {
  const open = async (advance: () => void) => {
    const onNews = (text?: string) => (text === digestsNews ? onDigests() : advance());
    return changesOver(await StreamConnection.open(url, { id, channel: changeChannel, onNews }), id);
  };
  return pull({ open, follower, isUrgent, subject: configuration, reasonOf, log, from }, signal);
}

/** Writers of zones wait for the edges; writers of records do not. */
const isUrgent = ({ changes }: ChangeSet) => changes.some(({ kind }) => kind === "zone" || kind === "contents");

const mostSets = 200;
const readText = `
  select id, revision, previous, mark, previous_mark, serials, body from change where revision > $1 order by revision limit ${mostSets}`;

function changesOver(stream: StreamConnection, id: string): StreamSource<Baseline, ChangeSet> {
  const { client } = stream;
  const parts = (load: ContentsReference) => partsOf(client, load);
  return {
    ...stream.source(configuration),
    registry: {
      report: async (revision) => void (await client.query(reportText, [id, revision])),
      forget: async () => void (await client.query("delete from follower where id = $1", [id])),
    },
    async read(after) {
      const messages: ChangeSet[] = [];
      for (const { body, ...row } of await stream.prepared<ChangeRow>("read", readText, after)) {
        messages.push({ subject: configuration, ...row, changes: await changesOf(client, body), parts });
      }
      return { messages, more: messages.length === mostSets };
    },
    baseline: (take) =>
      stream.snapshot(configuration, (head) =>
        take({ ...head, zones: () => zonesOf(stream), records: () => recordsOf(stream) }),
      ),
  };
}

async function changesOf(client: pg.Client, text: string): Promise<readonly Change[]> {
  const body = parseBody(text);
  if (body.kind === "inline") return body.changes;
  const { rows } = await client.query("select body from change_load where id = $1", [body.load.id]);
  if (!rows[0]) throw new StreamBroken(`load ${body.load.id} is gone`);
  return openLoad(body.load, rows[0].body);
}

const partsOf = (client: pg.Client, load: ContentsReference) =>
  verifiedParts(load, async (part) => {
    const { rows } = await client.query<{ body: Buffer }>({
      name: "part",
      text: "select body from change_part where load_id = $1 and part = $2",
      values: [load.id, part],
    });
    return rows[0]?.body;
  });

async function* zonesOf(stream: StreamConnection) {
  const text = `select ${listed(zoneColumns)}, serial from zone`;
  for await (const rows of stream.fetch<ZoneState & { serial: number }>(text)) {
    yield rows.map((row) => ({ zone: zoneState(row), serial: row.serial }));
  }
}

async function* recordsOf(stream: StreamConnection) {
  const text = `select ${listed(recordColumns)} from record where ${isInZone}`;
  for await (const rows of stream.fetch<RecordState>(text)) yield rows.map(recordState);
}

/** A deleted zone keeps its records, and the records of a load are stored before their zone. */
const isInZone = `
  not exists (select from deleted_zone as gone where gone.account_id = record.account_id and gone.id = zone_id)
  and not exists (select from zone_load where zone_load.zone_id = record.zone_id)`;

/** Does not wait for the disk: after a crash, the position is only an older one. */
const reportText = `
  with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
  insert into follower (id, revision, seen_at)
  select $1, $2::bigint, extract(epoch from clock_timestamp())::bigint from unhurried
  on conflict (id) do update set revision = excluded.revision, seen_at = excluded.seen_at`;

interface ChangeRow extends Sequenced {
  readonly id: string;
  readonly serials: Readonly<Record<string, number>>;
  readonly body: string;
}
