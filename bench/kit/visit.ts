/** What a page of the portal costs in Chromium: requests, octets, time of the main thread, and elements. */
import type { BrowserContext, CDPSession, Page } from "playwright-core";

export interface Traffic {
  /** Requests that the service answered; those that the browser's cache answered are not counted. */
  readonly requests: number;
  readonly octets: number;
  readonly paths: readonly string[];
}

export interface Work {
  /** Milliseconds of CPU time of the page's process. */
  readonly cpu: number;
  /** Tasks of the main thread above 50 ms, and milliseconds of the longest. */
  readonly longTasks: number;
  readonly longest: number;
  readonly elements: number;
}

export interface Visit {
  readonly page: Page;
  readonly traffic: () => Traffic;
  /** The work since the page was opened. */
  work(): Promise<Work>;
}

const observe = `globalThis.longTasks = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longTasks.push(duration);
}).observe({ type: "longtask", buffered: true });`;

/** Opens an address, and waits until nothing is asked for any more. */
export async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const traffic = await watchTraffic(cdp);
  await cdp.send("Performance.enable");
  await page.addInitScript(observe);
  await page.goto(url);
  await page.getByRole("banner").waitFor();
  await page.waitForLoadState("networkidle");
  return { page, traffic, work: () => workOf(page, cdp) };
}

async function watchTraffic(cdp: CDPSession): Promise<() => Traffic> {
  await cdp.send("Network.enable");
  const asked = new Map<string, string>();
  const cached = new Set<string>();
  const paths: string[] = [];
  let octets = 0;
  cdp.on("Network.requestServedFromCache", ({ requestId }) => cached.add(requestId));
  cdp.on("Network.responseReceived", ({ requestId, response }) => {
    if (!response.fromDiskCache && !cached.has(requestId)) asked.set(requestId, new URL(response.url).pathname);
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const path = asked.get(requestId);
    if (path === undefined) return;
    octets += encodedDataLength;
    paths.push(path);
  });
  return () => ({ requests: paths.length, octets, paths });
}

async function workOf(page: Page, cdp: CDPSession): Promise<Work> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const seconds = metrics.find(({ name }) => name === "ProcessTime")?.value;
  if (seconds === undefined) throw new Error("this browser does not tell the CPU time of a page");
  const tasks = await page.evaluate<number[]>("longTasks");
  return {
    cpu: seconds * 1000,
    longTasks: tasks.length,
    longest: Math.max(0, ...tasks),
    elements: await page.evaluate<number>("document.getElementsByTagName('*').length"),
  };
}
