/** Certificates by ACME (RFC 8555): certbot sets the challenges with lexicon, and Pebble asks Fairlead for them. */
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Daemon, freePort, output } from "../machine/processes.ts";
import { startLexicon } from "./lexicon.ts";

const zone = "example.com";
const challenge = `_acme-challenge.${zone}`;

test("certbot gets a certificate for a name and all names below it, with a key of the preset acme", async () => {
  await using client = await startLexicon();
  const { service } = client;
  await service.zone(zone);
  const { key } = await service.must("PUT", "account/apikeys", { name: "acme", preset: { name: "acme", zone } });
  const directory = mkdtempSync(join(tmpdir(), "fairlead-acme-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const pebble = await startPebble(directory, service.port);
  const hook = (action: string) =>
    `lexicon nsone ${action} ${zone} TXT --name "_acme-challenge.$CERTBOT_DOMAIN." --content "$CERTBOT_VALIDATION"`;
  // every thread of the edge answers by then, on a busy machine too
  const propagated = "sleep 2";
  const own = ["config", "work", "logs"].flatMap((name) => [`--${name}-dir`, join(directory, name)]);
  const ask = ["certonly", "--manual", "--preferred-challenges", "dns", "-d", zone, "-d", `*.${zone}`];
  const hooks = ["--manual-auth-hook", `${hook("create")} && ${propagated}`, "--manual-cleanup-hook", hook("delete")];
  const quiet = ["--non-interactive", "--agree-tos", "--register-unsafely-without-email", "--no-verify-ssl"];
  const env = { ...client.env, LEXICON_NSONE_AUTH_TOKEN: String(key), NO_PROXY: "127.0.0.1" };
  await output("certbot", [...ask, ...hooks, ...own, ...quiet, "--server", `https://127.0.0.1:${pebble}/dir`], { env });
  const made = new X509Certificate(readFileSync(join(directory, "config/live", zone, "cert.pem")));
  expect(made.subjectAltName?.split(", ").sort()).toEqual([`DNS:*.${zone}`, `DNS:${zone}`]);
  await expect.poll(() => client.seen(challenge, "TXT")).toEqual([]);
  const log = await service.must<{ action: string; resource: { answers: unknown[] } }[]>(
    "GET",
    "account/activity?resource_type=record",
  );
  expect(Math.max(...log.map(({ resource }) => resource.answers.length))).toBe(2);
});

/** Starts Pebble, which asks the server at a port for challenges; returns the port of its directory. */
async function startPebble(directory: string, dns: number): Promise<number> {
  const [port, management] = [await freePort(), await freePort()];
  const [certificate, privateKey] = [join(directory, "pebble.pem"), join(directory, "pebble.key")];
  const subject = ["-subj", "/CN=pebble", "-addext", "subjectAltName=IP:127.0.0.1"];
  await output("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", ...subject],
    ...["-keyout", privateKey, "-out", certificate],
  ]);
  const file = join(directory, "pebble.json");
  const addresses = { listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${management}` };
  const pebble = { ...addresses, certificate, privateKey, httpPort: 5002, tlsPort: 5001 };
  writeFileSync(file, JSON.stringify({ pebble }));
  const daemon = new Daemon("pebble", ["-config", file, "-dnsserver", `127.0.0.1:${dns}`], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "0" },
  });
  onTestFinished(async () => void (await daemon.end()));
  await daemon.until(() => daemon.printed.includes("ACME directory available"));
  return port;
}
