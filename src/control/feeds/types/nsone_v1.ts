/** Sources that receive pushes from holders of an API key. */
import { isMetaKey, metaKeys, readPushed } from "../../../answer/model/meta.ts";
import { flag, text } from "../../../lib/fields.ts";
import { invalid } from "../../../lib/problem.ts";
import { isObject } from "../../../lib/values.ts";
import { type Delivery, type SourceType, type Table, type Targets, tableOf } from "./sourcetype.ts";

export const nsoneV1: SourceType = {
  shortdesc: "Data Feed API v1",
  desc: "Values are pushed with <code>POST /v1/feed/SOURCE_ID</code> and an API key: a table of metadata for all feeds, or an object of tables by feed label.",
  config: {},
  feed_config: {
    label: text({ shortdesc: "Label", desc: "The name of this feed in pushes.", required: true, default: null }),
    merge: flag({
      shortdesc: "Merge pushes",
      desc: "A push keeps the values of keys that it does not have.",
      default: "0",
    }),
  },
  compatible_meta: Object.keys(metaKeys).filter(isMetaKey),
  status: "ok",
  labelOf: ({ label }) => String(label),
  receive,
};

/**
 * An object under a feed's label is a table for that feed; the other keys are metadata for all feeds. Both are merged into
 * one table for each feed, in which the feed's own values take precedence.
 */
function receive(payload: Readonly<Record<string, unknown>>, feeds: Targets): readonly Delivery[] {
  const own: [label: string, ids: readonly string[], sent: Readonly<Record<string, unknown>>][] = [];
  const common: [key: string, value: unknown][] = [];
  for (const [key, value] of Object.entries(payload)) {
    const ids = feeds.labelled(key);
    if (ids && isObject(value)) own.push([key, ids, value]);
    else if (isMetaKey(key) || (!ids && !isObject(value))) common.push([key, value]);
    else throw strayKey(key, ids !== undefined);
  }
  const sentToAll = Object.fromEntries(common);
  const shared = readPushed(sentToAll, "");
  const labelled = own.map(([label, ids, sent]): Delivery => {
    const values = readPushed(sent, label);
    const data = common.length === 0 ? values : { ...shared, ...values };
    const unset = [...nullsOf(sentToAll), ...nullsOf(sent)].filter((key) => !Object.hasOwn(data, key));
    return { feeds: ids, table: tableOf(data, label, unset) };
  });
  if (common.length === 0 && own.length > 0) return labelled;
  return [...labelled, forOthers(tableOf(shared, "the table", nullsOf(sentToAll)), feeds, labelled)];
}

const nullsOf = (table: Readonly<Record<string, unknown>>) => Object.keys(table).filter((key) => table[key] === null);

function forOthers(table: Table, feeds: Targets, labelled: readonly Delivery[]): Delivery {
  const reached = new Set(labelled.flatMap((delivery) => delivery.feeds));
  return { feeds: feeds.all.filter((id) => !reached.has(id)), table };
}

const strayKey = (key: string, isLabel: boolean) =>
  isLabel
    ? invalid(`"${key}" is the label of a feed, so its value must be an object of metadata`, { field: key })
    : invalid(`"${key}" is neither the label of a feed of this source nor a metadata key`, { field: key });
