/** Loads the demo into a service, or restores a changed demo. */
import { type DemoFeeds, demoRecords, labels } from "../../../control/demo/records.ts";
import type { Feed, Source } from "../../../control/feeds/model/schema.ts";
import type { Api } from "../../host/api.ts";
import { sourceName, zone } from "./zone.ts";

export interface Loaded {
  readonly sourceId: string;
  /** A line for each step. */
  readonly done: readonly string[];
}

export async function load(api: Api): Promise<Loaded> {
  const done: string[] = [];
  const note = (noun: string, isNew: boolean, outcome = isNew ? "created" : "exists") => {
    done.push(`${noun.padEnd(30)} ${outcome}`);
  };
  const found = await api.find(`zones/${zone}?records=false`);
  if (!found) await api.call("PUT", `zones/${zone}`, { zone });
  note(`zone ${zone}`, !found);
  const source = await findSource(api);
  const { id: sourceId } = source ?? (await createSource(api));
  note(`data source "${sourceName}"`, !source);
  const feeds = await loadFeeds(api, sourceId, note);
  const { isChange } = await api.call("POST", `zones/${zone}/records`, { put: demoRecords(zone, feeds) });
  note("records", isChange, isChange ? "written" : "unchanged");
  return { sourceId, done };
}

const findSource = async (api: Api) =>
  (await api.call<Source[]>("GET", "data/sources")).body.find(({ name }) => name === sourceName);

const createSource = async (api: Api) =>
  (await api.call<Source>("PUT", "data/sources", { name: sourceName, sourcetype: "nsone_v1" })).body;

/** Creates missing feeds, and pushes `up` to each feed that nothing was pushed to. */
async function loadFeeds(api: Api, sourceId: string, note: (noun: string, isNew: boolean) => void): Promise<DemoFeeds> {
  const { body: there } = await api.call<Feed[]>("GET", `data/feeds/${sourceId}`);
  const ids = { east: "", west: "" };
  for (const label of labels) {
    const found = there.find(({ config }) => config["label"] === label);
    const made = async () =>
      (await api.call<Feed>("PUT", `data/feeds/${sourceId}`, { name: label, config: { label } })).body;
    const feed = found ?? (await made());
    if (feed.pushed_at === null) await api.call("POST", `feed/${feed.id}`, { up: true });
    note(`feed ${label}`, !found);
    ids[label] = feed.id;
  }
  return ids;
}
