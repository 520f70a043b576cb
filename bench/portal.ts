/** The portal in Chromium: what loads at first and later, large lists, the simulator, and its effect on other accounts. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { runningPostgres } from "../src/storage/embedded/postgres.ts";
import { builtPages, launch, openTab, password, setPassword, signIn } from "../test/portal/kit/browser.ts";
import type { Service } from "../test/service/kit.ts";
import { addZones } from "../test/store/many-zones.ts";
import { bench } from "./kit/bench.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { fill, unlimitedService } from "./kit/served.ts";
import { besideSimulator, steered, steeredRecord } from "./kit/simulated.ts";
import { type Visit, visit, type Work } from "./kit/visit.ts";
import { apex, hostsZone } from "./kit/zone.ts";

/** Kilobytes of the first load, gzipped. */
const mostLoaded = 300;
/** Clients of which the simulator is asked one after another. */
const steps = 20;

await bench(async (scale) => {
  const folder = await builtPages();
  await using running = await unlimitedService({ portal: true });
  setPassword(running);
  await fill(running, hostsZone(scale(10_000, 1000)));
  await running.must("PUT", `zones/${apex}/${steered}/A`, steeredRecord);
  await running.zone("pattern.example");
  await addZones((await runningPostgres(running.data))!.url, "pattern.example", scale(100_000, 1000));
  const browser = await launch();
  try {
    const signedIn = await profile(browser, running);
    const rows = [...(await loads(await signedIn(), running, folder)), ...(await lists(signedIn, running))];
    return [...rows, ...(await simulator(await signedIn(), running)), ...(await besideSimulator(running, scale(5)))];
  } finally {
    await browser.close();
  }
});

type Profile = () => Promise<BrowserContext>;

/** Makes profiles with an empty cache in which the first user is signed in. */
async function profile(browser: Browser, { url }: Service): Promise<Profile> {
  const { page } = await openTab(browser, url);
  await signIn(page, "admin", password);
  const storageState = await page.context().storageState();
  await page.context().close();
  return () => browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
}

function row(measure: string, unit: string, ours: number, more: Partial<Row> = {}): Row {
  return { name: "portal", measure, unit, ours, peers: {}, target: "", ...more };
}

/** The dashboard with an empty cache, and again. */
async function loads(context: BrowserContext, { url }: Service, folder: string): Promise<Row[]> {
  const first = await visit(context, url);
  const [page, again] = [first.traffic(), await visit(context, url)];
  const files = page.paths.filter((path) => path.startsWith("/assets/"));
  const gzipped = files.reduce((sum, path) => sum + statSync(join(folder, `${path}.gz`)).size, 0) / 1000;
  const rows = [row("first load, gzipped", "kB", gzipped, atMost(gzipped, mostLoaded, "kB"))];
  for (const [what, { requests, octets }] of [
    ["first visit", page],
    ["return visit", again.traffic()],
  ] as const) {
    rows.push(row(`${what}: requests`, "", requests), row(`${what}: octets`, "kB", octets / 1000));
  }
  await context.close();
  return rows;
}

/** Pages with long lists, each in a profile of its own, compared with a page that has nothing. */
async function lists(signedIn: Profile, { url }: Service): Promise<Row[]> {
  const workAt = async (path: string) => {
    const context = await signedIn();
    const work = await (await visit(context, `${url}${path}`)).work();
    await context.close();
    return work;
  };
  const empty = await workAt("/changes");
  return [
    ...workRows("a page without content", empty),
    ...workRows("a list of 100,000 zones", await workAt("/zones"), empty),
    ...workRows("a zone of 10,000 records", await workAt(`/zones/${apex}`), empty),
  ];
}

function workRows(what: string, { cpu, longTasks, longest, elements }: Work, empty?: Work): Row[] {
  const peers = empty === undefined ? {} : { "without content": empty.cpu };
  return [
    row(`${what}: CPU time`, "ms", cpu, { peers }),
    row(`${what}: tasks above 50 ms`, "", longTasks),
    row(`${what}: longest task`, "ms", longest),
    row(`${what}: elements`, "", elements),
  ];
}

/** Another client's address in the simulator, until its answer is in view. */
async function simulator(context: BrowserContext, { url }: Service): Promise<Row[]> {
  const opened = await visit(context, `${url}/zones/${apex}/${steered}/A`);
  const before = await opened.work();
  for (let n = 1; n <= steps; n++) await step(opened, `192.0.2.${n}`);
  const after = await opened.work();
  await context.close();
  const what = "a step of the simulator";
  return [
    row(`${what}: CPU time`, "ms", (after.cpu - before.cpu) / steps),
    row(`${what}: tasks above 50 ms`, "", (after.longTasks - before.longTasks) / steps),
    row(`${what}: elements`, "", after.elements),
  ];
}

async function step({ page }: Visit, address: string): Promise<void> {
  const answered = page.waitForResponse(
    (response) =>
      response.url().endsWith("/v1/explain") && response.request().postData()?.includes(`"${address}"`) === true,
  );
  await page.getByLabel("Client address").fill(address);
  await answered;
}
