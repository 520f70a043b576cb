/** Debian's Chromium with the pages of a running service, for tests, pictures and benches. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { builtBefore, PortalFiles } from "../../../src/cli/host/portal.ts";
import { newLog } from "../../../src/lib/log.ts";
import { node, type Service, tree } from "../../service/kit.ts";

export const password = "correct horse battery";

const flags = [
  ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });

/** Builds the pages before a service needs them. Returns their folder. */
export async function builtPages(): Promise<string> {
  const files = new PortalFiles(builtBefore, newLog("warn", "portal"));
  await files.provide();
  if (files.folder === undefined) throw new Error(files.failure);
  return files.folder;
}

export interface OpenOptions {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  /** Cookies and storage of an earlier profile. */
  readonly state?: BrowserContextOptions["storageState"];
}

export interface Tab {
  readonly page: Page;
  /** Messages of the console, errors, and reports of the content security policy. */
  readonly complaints: string[];
}

/** Milliseconds in which a page does what it is asked for: it waits for the service, and shares the machine. */
const patience = 110_000;

/** Opens a page in a browser profile of its own. */
export async function openTab(
  browser: Browser,
  url: string,
  { width = 1440, scheme = "light", state }: OpenOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    ...(state === undefined ? {} : { storageState: state }),
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}

/** Refuses what a page asks the service for, apart from its session, as a service does while its store is away. */
export const withoutStore = (page: Page) =>
  page.route(/\/v1\/(?!auth\/)/, (route) =>
    route.fulfill({ status: 503, json: { message: "the store is not reachable", code: "unavailable" } }),
  );

export async function signIn(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel("User name").fill(username);
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  // a dialog above the page has a banner, too
  await page.getByRole("banner").first().waitFor();
}

/** Gives a user the password, by the link that the operator's command prints. */
export function setPassword({ data, url }: Service, username = "admin"): void {
  const command = [join(tree, "bin/fairlead.js"), "user", "invite", username, "--data", data];
  const printed = execFileSync(node, command, { encoding: "utf8" });
  const token = /#(\S+)/.exec(printed)?.[1];
  const body = JSON.stringify({ token, password });
  const headers = ["-H", "Content-Type: application/json"];
  execFileSync("curl", ["-sS", "--fail", "-X", "POST", ...headers, "-d", body, `${url}/v1/auth/invitation`]);
}

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** The serious and critical findings of axe on a page, each with the first element. */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // what is half transparent on its way has too little contrast
  const ends = "({ effect }) => effect.getComputedTiming().endTime < Infinity";
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(${ends}).map(({ finished }) => finished))`);
  const violations = await page.evaluate<Finding[]>("axe.run(document).then((found) => found.violations)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
