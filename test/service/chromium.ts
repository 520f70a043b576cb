/** A real browser without a window, driven by its own protocol, for tests of our pages. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { Daemon } from "../machine/processes.ts";
import type { Fields } from "./api.ts";

export interface Tab {
  open(url: string): Promise<void>;
  /** The value of an expression in the page. */
  read<T>(expression: string): Promise<T>;
  /** Errors of the page, and blocked scripts, styles and requests. */
  readonly complaints: readonly string[];
}

/** Starts the browser, which ends after the test file, and opens a tab. */
export async function openTab(): Promise<Tab> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-chromium-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];
  const place = ["--remote-debugging-port=0", `--user-data-dir=${directory}`, "--window-size=900,760", "about:blank"];
  const browser = new Daemon("chromium", [...flags, ...place]);
  afterAll(async () => {
    await browser.end();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const listening = () => /listening on ws:\/\/(\S+?)\//.exec(browser.printed)?.[1];
  await browser.until(() => listening() !== undefined, 60_000);
  return await tabOf(listening()!);
}

async function tabOf(host: string): Promise<Tab> {
  // the protocol's own list
  const targets = (await (await fetch(`http://${host}/json/list`)).json()) as Record<string, string>[];
  const page = targets.find(({ type }) => type === "page");
  const socket = new WebSocket(page?.["webSocketDebuggerUrl"] ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const waiting = new Map<number, (result: Fields) => void>();
  const complaints: string[] = [];
  let loaded = () => {};
  socket.addEventListener("message", ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data));
    if (id !== undefined) return waiting.get(id)?.(error ? { error } : result);
    if (method === "Page.loadEventFired") loaded();
    if (method === "Log.entryAdded") complaints.push(params.entry.text);
    if (method === "Runtime.exceptionThrown") complaints.push(params.exceptionDetails.text);
  });
  let count = 0;
  const call = async (method: string, params: Fields = {}): Promise<Fields> => {
    const id = ++count;
    const answered = new Promise<Fields>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const result = await answered;
    if (result["error"]) throw new Error(`${method}: ${JSON.stringify(result["error"])}`);
    return result;
  };
  for (const domain of ["Page", "Runtime", "Log"]) await call(`${domain}.enable`);
  return {
    complaints,
    async open(url) {
      const done = new Promise<void>((resolve) => (loaded = resolve));
      await call("Page.navigate", { url });
      await done;
    },
    async read<T>(expression: string) {
      const { result } = await call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
      return (result as { value: T }).value;
    },
  };
}
