/** The portal of a whole service in Debian's Chromium, driven as a user does. */
import type { Locator, Page } from "playwright-core";
import { afterAll } from "vitest";
import { type Service, type ServiceOptions, service } from "../../service/kit.ts";
import { builtPages, launch, type OpenOptions, openTab, password, setPassword, signIn, type Tab } from "./browser.ts";

export { findingsOf, password, signIn } from "./browser.ts";

export interface Portal {
  readonly service: Service;
  /** Opens a page of its own browser profile; `complaints` gets what the page writes to its console. */
  open(path: string, options?: OpenOptions): Promise<Tab>;
  /** Opens a page, signed in as the first user. */
  signedIn(path: string, options?: OpenOptions): Promise<Tab>;
}

/** Starts a service with its portal, whose first user has a password. */
export async function startPortal(options: ServiceOptions = {}): Promise<Portal> {
  // built before, so that no service of a test builds it again
  await builtPages();
  const running = await service({ ...options, portal: true });
  afterAll(() => running.stop());
  setPassword(running);
  const browser = await launch();
  afterAll(() => browser.close());
  const open = (path: string, given?: OpenOptions) => openTab(browser, `${running.url}${path}`, given);
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

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });

/** Presses a button. */
export const act = (page: Page, name: string | RegExp): Promise<void> => button(page, name).click();

/** The complaints without those of the browser itself about refused requests. */
export const real = (complaints: readonly string[]): string[] =>
  complaints.filter((text) => !text.includes("the server responded with a status of 4"));
