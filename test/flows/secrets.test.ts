/** Secrets of every kind, made over the API, are only where the documentation says. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { generate } from "otplib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clusterBelow, urlOf } from "../../src/storage/embedded/cluster.ts";
import { processesBelow } from "../machine/proc.ts";
import { freePort, output } from "../machine/processes.ts";
import { Browser } from "../service/browser.ts";
import { node, type Service, service, tree } from "../service/kit.ts";
import { mailsTo } from "../service/mails.ts";
import { Canaries } from "./canaries.ts";

const data = mkdtempSync(join(tmpdir(), "fairlead-secrets-"));
const canaries = new Canaries();
const zone = "canary.example";
/** The files of the data directory that contain a secret, as documented, and the name of the secret. */
const documented: Readonly<Record<string, string>> = { "credentials.json": "first key", "master.key": "master key" };

interface Key {
  readonly id: string;
  readonly key: string;
  readonly secrets: readonly { readonly id: string; readonly key?: string }[];
}

let running: Service;
let log = "";
/** Bodies of refusals to requests that held secrets. */
const refusals: string[] = [];

beforeAll(async () => {
  running = await service({ data, log: "debug", flags: ["--dot", `127.0.0.1:${await freePort()}`] });
  log = running.daemon.printed;
  for (const stream of [running.daemon.child.stdout, running.daemon.child.stderr]) {
    stream?.on("data", (text: string) => {
      log += text;
    });
  }
  canaries.plant("first key", running.key);
  const master = readFileSync(join(data, "master.key"), "utf8").trim();
  canaries.plant("master key", master, Buffer.from(master, "base64url"));
  await plantKeys();
  await plantPartners();
  await plantUsers();
});

afterAll(async () => {
  await running?.stop();
  rmSync(data, { recursive: true, force: true });
});

const must = <T>(method: string, path: string, body?: unknown): Promise<T> => running.must<T>(method, path, body);

async function plantKeys(): Promise<void> {
  const path = "account/apikeys";
  const made = await must<Key>("PUT", path, { name: "canary" });
  canaries.plant("key", made.key);
  canaries.plant("rotated key", (await must<Key>("POST", `${path}/${made.id}/rotate`, { overlap: "2d" })).key);
  const due = await must<Key>("PUT", path, { name: "canary that expires", expiry_duration: "30d" });
  canaries.plant("secret of a key", due.secrets[0]!.key);
  const second = await must<Key>("POST", `${path}/${due.id}/secrets`, {});
  canaries.plant("second secret of a key", second.secrets[1]!.key);
  const gone = await must<Key>("PUT", path, { name: "canary that is deleted" });
  canaries.plant("deleted key", gone.key);
  await must("DELETE", `${path}/${gone.id}`);
  for (const key of [made.key, due.secrets[0]!.key!, gone.key, randomBytes(20).toString("hex")]) {
    const reply = await fetch(`${running.url}/v1/zones?key=${key}`, { headers: { "X-SERVICE-Key": key } });
    if (reply.status !== 200) refusals.push(await reply.text());
  }
  const kept = { "Idempotency-Key": "canary", "X-SERVICE-Key": running.key };
  const body = JSON.stringify({ name: "canary that is kept" });
  const reply = await fetch(`${running.url}/v1/${path}`, { method: "PUT", headers: kept, body });
  canaries.plant("key in a kept reply", ((await reply.json()) as Key).key);
}

async function plantPartners(): Promise<void> {
  const secret = (what: string) => {
    const octets = randomBytes(32);
    canaries.plant(what, octets.toString("base64"), octets);
    return octets.toString("base64");
  };
  const algorithm = "hmac-sha256";
  await must("PUT", "tsig/one.canary", { algorithm, secret: secret("TSIG key") });
  await must("POST", "tsig/one.canary", { secret: secret("changed TSIG key") });
  await must("PUT", "tsig/two.canary", { algorithm, secret: secret("deleted TSIG key") });
  await must("DELETE", "tsig/two.canary");
  const secondaries = [{ ip: "127.0.0.1", port: await freePort(), notify: true, tsig_key: "one.canary" }];
  await must("PUT", `zones/${zone}`, { zone, primary: { enabled: true, secondaries } });
  const secondary = (name: string, hash = algorithm) => ({
    ...{ enabled: true, primary_ip: "127.0.0.1", primary_port: 9 },
    tsig: { enabled: true, hash, name: "three.canary", key: secret(name) },
  });
  await must("PUT", `zones/in.${zone}`, { zone: `in.${zone}`, secondary: secondary("key of a zone") });
  await must("PUT", `zones/gone.${zone}`, { zone: `gone.${zone}`, secondary: secondary("key of a deleted zone") });
  await must("DELETE", `zones/gone.${zone}`);
  const wrong: [string, string, unknown][] = [
    ["PUT", "tsig/no.canary", { algorithm: "none", secret: secret("TSIG key with another fault") }],
    ["PUT", "tsig/no.canary", { algorithm, secret: `!${secret("TSIG key that is refused")}` }],
    ["PUT", "tsig/no.canary", { algorithm, secret: { is: secret("TSIG key that is an object") } }],
    ["PUT", `zones/no.${zone}`, { zone: `no.${zone}`, secondary: secondary("refused key of a zone", "none") }],
    ["POST", `zones/in.${zone}`, { ttl: -1, secondary: secondary("key of a change that is refused") }],
  ];
  for (const [method, path, body] of wrong) {
    const reply = await running.api(method, path, body);
    expect([reply.status, path]).toEqual([400, path]);
    refusals.push(JSON.stringify(reply.body));
  }
}

async function plantUsers(): Promise<void> {
  for (const username of ["canary1", "canary2"]) {
    const email = `${username}@example.com`;
    await must("PUT", "account/users", {
      name: username,
      username,
      email,
      permissions: {},
      notify: { billing: false },
    });
    canaries.plant(`link of the invitation of ${username}`, await mailed(email, "invitation"));
  }
  await must("DELETE", "account/users/canary2");
  const [email, password] = ["canary1@example.com", randomBytes(20).toString("hex")];
  const page = new Browser(running.url, { Origin: running.url });
  await page.must("POST", "auth/invitation", { token: await mailed(email, "invitation"), password });
  canaries.plant("password", password);
  canaries.plant("session", page.cookie?.split("=")[1]);
  canaries.plant("token of pages", page.csrf);
  const { secret } = await page.must("PUT", "auth/totp", { password });
  canaries.plant("second factor", String(secret));
  const code = await generate({ secret: String(secret) });
  const { recovery_codes } = await page.must<{ recovery_codes: string[] }>("POST", "auth/totp", { code });
  for (const [n, recovery] of recovery_codes.entries()) canaries.plant(`recovery code ${n}`, recovery);
  canaries.plant("session with a second factor", page.cookie?.split("=")[1]);
  const guess = randomBytes(20).toString("hex");
  canaries.plant("password that is wrong", guess);
  refusals.push((await new Browser(running.url, { Origin: running.url }).signIn("canary1", guess)).text);
  await new Browser(running.url, { Origin: running.url }).must("POST", "auth/forgot", { username: "canary1" });
  canaries.plant("link of a reset", await mailed(email, "reset"));
}

/** The token in the link of the last mail of a kind. */
async function mailed(recipient: string, kind: string): Promise<string> {
  const token = async () => {
    const texts = (await mailsTo(data, recipient)).map(({ text }) => text ?? "");
    return texts.flatMap((text) => new RegExp(`/${kind}#([\\w-]{20,})`).exec(text)?.[1] ?? []).at(-1);
  };
  await running.daemon.until(async () => (await token()) !== undefined, 60_000);
  return (await token())!;
}

test("there are secrets of all kinds, and the search finds them", () => {
  expect(canaries.count).toBeGreaterThanOrEqual(30);
  const octets = randomBytes(24);
  const other = new Canaries();
  other.plant("it", octets.toString("base64"), octets);
  for (const form of [octets, octets.toString("base64"), octets.toString("hex"), `x${octets.toString("base64")}`]) {
    expect(other.in(form)).toEqual(["it"]);
  }
  for (let before = 0; before < 4; before++) {
    const inside = Buffer.concat([Buffer.alloc(before, 65), octets, Buffer.from("tail")]);
    expect(other.in(inside.toString("base64")), `${before} octets before`).toEqual(["it"]);
  }
  expect(other.in(randomBytes(100))).toEqual([]);
});

describe("while the service runs, no secret is in", () => {
  test("a dump of every table of the store", async () => {
    const client = new pg.Client({ connectionString: urlOf(clusterBelow(data)) });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = 'public'",
      );
      expect(rows.length).toBeGreaterThan(20);
      for (const { name } of rows) {
        const dump = await buffer(client.query(copyTo(`copy ${client.escapeIdentifier(name)} to stdout`)));
        expect([name, ...canaries.in(dump)]).toEqual([name]);
      }
    } finally {
      await client.end();
    }
  });

  test("an exported store", async () => {
    const [file, passphrase] = [join(data, "export.gz"), join(data, "passphrase")];
    writeFileSync(passphrase, "correct horse battery staple");
    const cli = [join(tree, "bin/fairlead.js"), "store", "export", file];
    await output(node, [...cli, "--data", data, "--passphrase-file", passphrase], { cwd: tree });
    expect(canaries.in(gunzipSync(readFileSync(file)))).toEqual([]);
  });

  test("replies: activity in every form, zones, deleted zones, metrics, health, refusals", async () => {
    const reports = ["json", "xml", "csv", "pdf", "xslx", "html"].map((form) => `account/activity?export=${form}`);
    const paths = [
      "account/activity?limit=1000",
      ...reports,
      `zones/${zone}`,
      "zones",
      "deletedzones",
      "tsig",
      "search?q=canary",
    ];
    const places = [
      ...paths.map((path) => `/v1/${path}`),
      ...[`/v1/zones/${zone}/versions`, `/v1/zones/in.${zone}/transfer`, "/readyz", "/healthz"],
    ].map((path) => running.url + path);
    places.push(...["/metrics", "/readyz", "/healthz"].map((path) => running.operator + path));
    for (const place of places) {
      const reply = await fetch(place, { headers: { "X-SERVICE-Key": running.key } });
      expect([place, reply.status]).toEqual([place, 200]);
      // a user who may write the keys of zones may also read them
      const found = canaries.in(Buffer.from(await reply.arrayBuffer()));
      expect([
        place,
        ...found.filter((what) => !/^(?:changed )?TSIG key$|^key of a (?:deleted )?zone$/.test(what)),
      ]).toEqual([place]);
    }
    expect(refusals.length).toBeGreaterThan(5);
    expect(canaries.in(refusals.join("\n"))).toEqual([]);
  });

  test("the arguments of a process", () => {
    const processes = processesBelow(running.daemon.pid);
    expect(processes.length).toBeGreaterThan(2);
    expect(canaries.in(processes.map(({ line }) => line.join(" ")).join("\n"))).toEqual([]);
  });
});

test("after the service has ended, its log has no secret, and its files have only the documented secrets", async () => {
  await must("PUT", `zones/${zone}/www.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
  await running.stop();
  expect(log.split('"level":"debug"').length).toBeGreaterThan(20);
  expect(canaries.in(log)).toEqual([]);
  expect(readdirSync(join(data, "edge"))).toEqual(expect.arrayContaining(["zones", "partners"]));
  for (const [path, found] of canaries.below(data)) {
    const isMail = path.startsWith("outbox/") && found.every((what) => what.startsWith("link of"));
    expect([path, isMail ? [] : found]).toEqual([path, isMail ? [] : [documented[path]]]);
  }
});
