/** The portal of a whole service in Debian's Chromium, driven as a user does. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll } from "vitest";
import { builtBefore, PortalFiles } from "../../../src/cli/host/portal.ts";
import { newLog } from "../../../src/lib/log.ts";
import { node, type Service, type ServiceOptions, service, tree } from "../../service/kit.ts";

export const password = "correct horse battery";

const flags = [
  ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

let browser: Promise<Browser> | undefined;

/** The browser of this test file. */
function launched(): Promise<Browser> {
  if (browser === undefined) {
    const started = chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });
    browser = started;
    afterAll(async () => {
      browser = undefined;
      await (await started).close();
    });
  }
  return browser;
}

export interface Portal {
  readonly service: Service;
  /** Opens a page of its own browser profile; `complaints` gets what the page writes to its console. */
  open(path: string, options?: OpenOptions): Promise<Tab>;
  /** Opens a page, signed in as the first user. */
  signedIn(path: string, options?: OpenOptions): Promise<Tab>;
}

export interface OpenOptions {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
}

export interface Tab {
  readonly page: Page;
  /** Messages of the console, errors, and reports of the content security policy. */
  readonly complaints: string[];
}

/** Starts a service with its portal, whose first user has a password. */
export async function startPortal(options: ServiceOptions = {}): Promise<Portal> {
  // built before, so that no service of a test builds it again
  const files = new PortalFiles(builtBefore, newLog("warn", "portal"));
  await files.provide();
  if (files.folder === undefined) throw new Error(files.failure);
  const running = await service({ ...options, portal: true });
  afterAll(() => running.stop());
  setFirstPassword(running);
  const open = async (path: string, { width = 1440, scheme = "light" }: OpenOptions = {}) => {
    const context = await (await launched()).newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    // pages wait for the service, and tests share the machine
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${running.url}${path}`);
    return { page, complaints };
  };
  return {
    service: running,
    open,
    async signedIn(path, given) {
      const tab = await open(path, given);
      await signIn(tab.page, "admin", password);
      return tab;
    },
  };
}

export async function signIn(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel("User name").fill(username);
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("banner").waitFor();
}

/** Lets the first user in, by the link that the operator's command prints. */
function setFirstPassword({ data, url }: Service): void {
  const command = [join(tree, "bin/fairlead.js"), "user", "invite", "admin", "--data", data];
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
  const violations = await page.evaluate<Finding[]>("axe.run(document).then((found) => found.violations)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

/** Presses a button. */
export const act = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

/** The complaints without those of the browser itself about refused requests. */
export const real = (complaints: readonly string[]): string[] =>
  complaints.filter((text) => !text.includes("the server responded with a status of 4"));
