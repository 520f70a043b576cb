/** The service under the stand-in for systemd, as its unit in the Debian package runs it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../machine/processes.ts";
import { Systemd } from "../machine/systemd.ts";
import { asStarted, node, tree } from "./kit.ts";

export interface UnitService extends AsyncDisposable {
  readonly systemd: Systemd;
  readonly data: string;
  readonly url: string;
  readonly ports: { readonly http: number; readonly dns: number; readonly metrics: number };
  /** Writes the configuration file anew, with further settings. */
  configure(settings: object): void;
  must(method: string, path: string, body?: unknown): Promise<void>;
}

export interface UnitServiceOptions {
  /** The name of the unit; by default, that of everything. */
  readonly unit?: "fairlead" | "fairlead-edge";
  readonly activated?: ((ports: UnitService["ports"]) => readonly number[]) | undefined;
  readonly settings?: object;
  /** Whether systemd keeps no sockets. */
  readonly isForgetful?: true;
}

/** Starts it with a configuration file and a data directory of its own, and waits until it is ready. */
export async function unitService({
  unit: name = "fairlead",
  activated,
  settings = {},
  isForgetful,
}: UnitServiceOptions = {}): Promise<UnitService> {
  const place = mkdtempSync(join(tmpdir(), "fairlead-unit-"));
  const [data, file] = [join(place, "data"), join(place, "fairlead.json")];
  const ports = { http: await freePort(), dns: await freePort(), metrics: await freePort() };
  const configure = (settings: object) => {
    const own = Object.entries(ports).map(([name, port]) => [name, `127.0.0.1:${port}`]);
    const user = asStarted.length > 0 ? { user: asStarted[1] } : {};
    writeFileSync(file, JSON.stringify({ data, log: "warn", ...Object.fromEntries(own), ...user, ...settings }));
  };
  configure(settings);
  const unit = readFileSync(join(tree, `packaging/debian/${name}.service`), "utf8");
  const systemd = new Systemd({
    unit: isForgetful ? unit.replace(/^FileDescriptorStoreMax=.*$/m, "") : unit,
    command: (words) =>
      words.flatMap((word) =>
        word === "/usr/bin/fairlead"
          ? [node, join(tree, "bin/fairlead.js")]
          : word === "/etc/fairlead/fairlead.json"
            ? file
            : word,
      ),
    ...(activated ? { activated: activated(ports) } : {}),
  });
  const url = `http://127.0.0.1:${ports.http}`;
  const end = async () => {
    await systemd[Symbol.asyncDispose]();
    rmSync(place, { recursive: true, force: true });
  };
  try {
    await systemd.start();
  } catch (error) {
    await end();
    throw error;
  }
  return {
    ...{ systemd, data, url, ports, configure },
    async must(method, path, body) {
      const { key } = JSON.parse(readFileSync(join(data, "credentials.json"), "utf8"));
      const headers = { "X-SERVICE-Key": key, "Content-Type": "application/json" };
      const reply = await fetch(`${url}/v1/${path}`, { method, headers, body: JSON.stringify(body ?? {}) });
      if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    },
    [Symbol.asyncDispose]: end,
  };
}
