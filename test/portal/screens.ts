/**
 * Pictures of every screen, made anew: `npm run portal:screens -- --out DIR [--only NAME]` writes each screen of a service
 * with data, of the same while its store is away, and of an empty one, each wide and on a phone, light and dark. `--docs`
 * writes those of README and docs/portal.md.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BrowserContextOptions, Page } from "playwright-core";
import { service, tree } from "../service/kit.ts";
import {
  builtPages,
  launch,
  type OpenOptions,
  openTab,
  password,
  setPassword,
  signIn,
  type Tab,
  withoutStore,
} from "./kit/browser.ts";
import { documented, type Picture, pictures, show } from "./kit/pictures.ts";
import { smallPng } from "./kit/png.ts";
import { fillSample, type Sample } from "./kit/sample.ts";

const { values } = parseArgs({
  options: { out: { type: "string" }, only: { type: "string" }, docs: { type: "boolean", default: false } },
});
const images = join(tree, "docs/images");
/** Octets of a picture in the documentation. */
const mostOctets = 250_000;
const widths = [1440, 390];
const schemes = ["light", "dark"] as const;

await builtPages();
const browser = await launch();
try {
  if (values.docs) await withService(true, takeDocs);
  else if (values.out === undefined) throw new Error("usage: screens.ts --out DIR [--only NAME] | --docs");
  else {
    await withService(true, async (site, sample) => {
      const all = pictures(sample);
      await takeAll(site, "full", all);
      const shown = all.filter(({ prepare, needsDraft }) => !(prepare || needsDraft));
      await takeAll(site, "failing", shown, withoutStore);
    });
    const blank = pictures({ source: "", feed: "", key: "" }).filter(({ isForEmpty }) => isForEmpty);
    await withService(false, (site) => takeAll(site, "empty", blank));
  }
} finally {
  await browser.close();
}

interface Site {
  readonly url: string;
  /** A profile that is signed in. */
  readonly state: NonNullable<BrowserContextOptions["storageState"]>;
}

async function withService(isFilled: boolean, take: (site: Site, sample: Sample) => Promise<void>): Promise<void> {
  await using running = await service({ portal: true });
  setPassword(running);
  const sample = isFilled ? await fillSample(running) : { source: "", feed: "", key: "" };
  const { page } = await openTab(browser, running.url);
  await signIn(page, "admin", password);
  const state = await page.context().storageState();
  await page.context().close();
  await take({ url: running.url, state }, sample);
}

/** All that are wanted, wide and narrow, light and dark. */
async function takeAll(
  site: Site,
  set: string,
  all: readonly Picture[],
  prepare?: (page: Page) => Promise<unknown>,
): Promise<void> {
  const folder = values.out ?? "";
  mkdirSync(folder, { recursive: true });
  const wanted = all.filter(({ name }) => values.only === undefined || name.includes(values.only));
  for (const [width, scheme] of widths.flatMap((one) => schemes.map((other) => [one, other] as const))) {
    if (values.only === undefined) await takeSignIn(site.url, { width, scheme }, set);
    const { page } = await opened(site, { width, scheme });
    await prepare?.(page);
    for (const picture of wanted) {
      const path = join(folder, `${set}-${picture.name}-${width}-${scheme}.png`);
      await show(page, site.url, picture);
      await page.screenshot({ path, fullPage: true });
      process.stdout.write(`${path}\n`);
    }
    await page.context().close();
  }
}

async function takeSignIn(
  url: string,
  options: Required<Pick<OpenOptions, "width" | "scheme">>,
  set: string,
): Promise<void> {
  const { page } = await openTab(browser, url, options);
  await page.getByLabel("User name").waitFor();
  await page.screenshot({ path: join(values.out ?? "", `${set}-signin-${options.width}-${options.scheme}.png`) });
  await page.context().close();
}

async function takeDocs(site: Site, sample: Sample): Promise<void> {
  mkdirSync(images, { recursive: true });
  const all = pictures(sample);
  const { page } = await opened(site, { width: 1280 });
  for (const [name, [of, height]] of Object.entries(documented)) {
    const picture = all.find((one) => one.name === of);
    if (!picture) throw new Error(`${of}: there is no such picture`);
    const path = join(images, `${name}.png`);
    await page.setViewportSize({ width: 1280, height });
    await show(page, site.url, picture);
    const png = smallPng(await page.screenshot());
    writeFileSync(path, png);
    process.stdout.write(`${path}: ${png.length} octets\n`);
    if (png.length > mostOctets) process.exitCode = 1;
  }
  await page.context().close();
}

/** A tab of a profile that is signed in; what its pages complain about is printed. */
async function opened({ url, state }: Site, options: OpenOptions): Promise<Tab> {
  const tab = await openTab(browser, url, { ...options, state });
  tab.page.on("console", (message) => process.stderr.write(`${tab.page.url()}: ${message.text()}\n`));
  return tab;
}
