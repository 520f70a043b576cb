/** The examples of docs/examples: proxies in front of the API, and alerts, as an operator would use them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSelfSigned } from "../../src/net/tls/self-signed.ts";
import { Daemon, freePort, output } from "../machine/processes.ts";
import { type Service, service, tree } from "../service/kit.ts";

const place = mkdtempSync(join(tmpdir(), "fairlead-proxied-"));
const example = (name: string) => readFileSync(join(tree, "docs/examples", name), "utf8");
const [cert, key] = [join(place, "dns-api.pem"), join(place, "dns-api.key")];
const mebibyte = 2 ** 20;
let running: Service;

beforeAll(async () => {
  const made = makeSelfSigned({
    names: ["localhost"],
    from: new Date(Date.now() - 1e6),
    to: new Date(Date.now() + 1e8),
  });
  writeFileSync(key, made.key);
  running = await service({ flags: ["--trusted-proxy", "127.0.0.1"] });
  writeFileSync(cert, made.cert);
});

afterAll(async () => {
  await running.stop();
  rmSync(place, { recursive: true, force: true });
});

/** An example with the ports and files of this test in place of its own. */
function configured(name: string, port: number): string {
  const text = example(name)
    .replaceAll("127.0.0.1:8080", new URL(running.url).host)
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace("bind :443", `bind 127.0.0.1:${port}`)
    .replaceAll("/etc/ssl", place);
  expect(text).not.toMatch(/443|8080/);
  return text;
}

const proxies: Readonly<Record<string, (port: number) => readonly [file: string, ...args: string[]]>> = {
  nginx(port) {
    const directory = join(place, "nginx");
    mkdirSync(directory);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory};`);
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const around = `${user} daemon off; pid ${directory}/pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")}`;
    writeFileSync(join(directory, "nginx.conf"), `${around}\n${configured("nginx/fairlead.conf", port)}\n}\n`);
    return ["/usr/sbin/nginx", "-c", join(directory, "nginx.conf"), "-p", directory];
  },
  haproxy(port) {
    const file = join(place, "haproxy.cfg");
    writeFileSync(file, configured("haproxy/api.cfg", port));
    writeFileSync(cert, readFileSync(cert, "utf8") + readFileSync(key, "utf8"));
    return ["/usr/sbin/haproxy", "-db", "-f", file];
  },
};

describe.each(Object.keys(proxies))("behind %s", (name) => {
  let proxy: Daemon;
  let port = 0;

  const call = (method: string, path: string, body?: Iterable<string>) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const headers = { "X-SERVICE-Key": running.key };
      const sent = request({ port, method, path, headers, rejectUnauthorized: false, agent: false }, async (reply) => {
        let text = "";
        for await (const part of reply.setEncoding("utf8")) text += part;
        resolve({ status: reply.statusCode ?? 0, body: text });
      });
      sent.on("error", reject);
      Readable.from(body ?? []).pipe(sent);
    });

  beforeAll(async () => {
    port = await freePort();
    const [file, ...args] = proxies[name]!(port);
    proxy = new Daemon(file, args);
    await proxy.until(async () => (await call("GET", "/healthz").catch(() => undefined))?.status === 200);
  });

  afterAll(async () => void (await proxy?.end()));

  test("a change set of almost 8 MiB passes", async () => {
    const zone = `${name}.example`;
    const answers = Array.from({ length: 20 }, (_, n) => ({ answer: [`${n}${"x".repeat(190)}`] }));
    const records = Array.from({ length: 1600 }, (_, n) => {
      return { action: "put", zone, domain: `n${n}.${zone}`, type: "TXT", answers };
    });
    const body = JSON.stringify({ zones: [{ action: "create", zone }], records });
    expect(body.length).toBeGreaterThan(6 * mebibyte);
    const reply = await call("PUT", "/v1/changesets", [body]);
    expect([reply.status, reply.body.slice(0, 300)]).toEqual([200, expect.any(String)]);
    await expect.poll(() => running.ask(`n1599.${zone} TXT`, "+tcp")).toHaveLength(20);
  });

  test("a zone file of almost 256 MiB passes", async () => {
    const zone = `large-${name}.example`;
    const head = `$TTL 300\n@ SOA ns1.${zone}. root.${zone}. 1 2 3 4 5\n@ NS ns1.${zone}.\nwww A 192.0.2.1\n`;
    const comment = `${`; ${"x".repeat(1020)}\n`.repeat(1024)}`;
    function* file() {
      yield head;
      for (let n = 0; n < 254; n++) yield comment;
    }
    const reply = await call("PUT", `/v1/import/zonefile/${zone}`, file());
    expect([reply.status, reply.body.slice(0, 300)]).toEqual([200, expect.any(String)]);
    await expect.poll(() => running.ask(`www.${zone} A`)).toEqual([`www.${zone}. 300 IN A 192.0.2.1`]);
  });

  test("the operator's page does not pass", async () => {
    expect((await call("GET", "/metrics")).status).toBe(404);
    expect(JSON.parse((await call("GET", "/readyz")).body)).toEqual({ ready: true });
  });
});

test("promtool finds the alert rules correct", async () => {
  const file = join(tree, "docs/examples/prometheus/rules.yml");
  expect(await output("promtool", ["check", "rules", file])).toMatch(/SUCCESS: \d+ rules found/);
});

test("alerts and dashboard name only metrics that exist", () => {
  const reference = readFileSync(join(tree, "docs/reference/metrics.md"), "utf8");
  const texts = example("prometheus/rules.yml") + example("prometheus/dashboard.json");
  const named = new Set(
    [...texts.matchAll(/\bfairlead_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, "")),
  );
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((name) => !reference.includes(`\`${name}\``))).toEqual([]);
});
