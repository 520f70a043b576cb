/** DNS over TLS and HTTPS with kdig, curl and openssl, with the generated certificate and with another one. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeSelfSigned } from "../../src/net/tls/self-signed.ts";
import { queryOf } from "../engine/states.ts";
import { freePort, output } from "../machine/processes.ts";
import { answerLines, type Service, service } from "../service/kit.ts";

const name = "dns1.p01.fairlead.test";
const ports = { dot: 0, doh: 0 };
let ours: Service;
let cert = "";

beforeAll(async () => {
  ports.dot = await freePort();
  ports.doh = await freePort();
  ours = await service({ flags: ["--dot", `127.0.0.1:${ports.dot}`, "--doh", `127.0.0.1:${ports.doh}`] });
  cert = join(ours.data, "tls-cert.pem");
  await ours.zone("example.com");
  await ours.put("example.com", "www.example.com A", ["192.0.2.1"]);
  await vi.waitFor(async () => expect(await ours.ask("www.example.com A")).toHaveLength(1));
});

afterAll(() => ours?.stop());

const www = ["www.example.com. 3600 IN A 192.0.2.1"];
const checked = () => [`+tls-ca=${cert}`, `+tls-hostname=${name}`];

async function kdig(port: number, ...flags: readonly string[]) {
  const printed = await output("kdig", ["@127.0.0.1", "-p", `${port}`, "www.example.com", "A", ...flags]);
  return { printed, answers: answerLines(printed) };
}

describe("kdig", () => {
  test("asks over TLS, checks the certificate, and finds the answer padded to 468 octets", async () => {
    const { printed, answers } = await kdig(ports.dot, "+tls", ...checked());
    expect(answers).toEqual(www);
    expect(printed).toContain("(TLS1.3)");
    expect(printed).toMatch(/PADDING: \d+ B/);
    expect(printed).toContain("Received 468 B");
  });

  test("refuses the certificate for another name", async () => {
    const asked = kdig(ports.dot, "+tls", `+tls-ca=${cert}`, "+tls-hostname=other.example", "+retry=0");
    await expect(asked.then(({ answers }) => answers)).rejects.toThrow();
  });

  test("asks several questions over one connection", async () => {
    const flags = ["-p", `${ports.dot}`, "+keepopen", "+tls", "+short", "www.example.com", "A", "www.example.com", "A"];
    expect((await output("kdig", ["@127.0.0.1", ...flags])).trim().split("\n")).toEqual(["192.0.2.1", "192.0.2.1"]);
  });

  test.each(["+https", "+https-get"])("asks over HTTPS (%s)", async (how) => {
    const { printed, answers } = await kdig(ports.doh, how, `+tls-ca=${cert}`, `+tls-hostname=${name}`);
    expect(answers).toEqual(www);
    expect(printed).toContain("status: 200");
  });
});

describe("curl", () => {
  const reached = () => ["-sS", "--cacert", cert, "--resolve", `${name}:${ports.doh}:127.0.0.1`];
  const dns = Buffer.from(queryOf("www.example.com A")).toString("base64url");

  test.each(["--http1.1", "--http2"])("gets an answer over %s, with its lifetime", async (how) => {
    const url = `https://${name}:${ports.doh}/dns-query?dns=${dns}`;
    const printed = await output("curl", [...reached(), how, "-o", join(ours.data, "answer"), "-D", "-", url]);
    expect(printed).toMatch(how === "--http2" ? /^HTTP\/2 200/ : /^HTTP\/1\.1 200/);
    expect(printed).toMatch(/^content-type: application\/dns-message\r$/im);
    expect(printed).toMatch(/^cache-control: max-age=3600\r$/im);
  });

  test("resolves names over HTTPS", async () => {
    const url = `https://127.0.0.1:${ports.doh}/dns-query`;
    // no server listens at the name's address: the test is about finding the address
    const flags = [
      "-sS",
      "--doh-insecure",
      "--doh-url",
      url,
      "-m",
      "2",
      "-w",
      "%{remote_ip}",
      "http://www.example.com:1/",
    ];
    const printed = await output("sh", ["-c", 'curl -v "$@" 2>&1 || true', "sh", ...flags]);
    expect(printed).toContain("DoH A: 192.0.2.1");
  });
});

describe("openssl", () => {
  test("verifies the certificate for its names", async () => {
    const text = await output("openssl", ["x509", "-in", cert, "-noout", "-text", "-ext", "subjectAltName"]);
    expect(text).toContain("ASN1 OID: prime256v1");
    expect(text).toContain(`DNS:${name}`);
    const verified = await output("openssl", [
      "verify",
      "-x509_strict",
      "-CAfile",
      cert,
      "-verify_ip",
      "127.0.0.1",
      cert,
    ]);
    expect(verified).toContain("OK");
  });

  test("gets the new certificate soon after its files change", async () => {
    const shown = async () => {
      const flags = ["s_client", "-connect", `127.0.0.1:${ports.dot}`, "-alpn", "dot"];
      const printed = await output("sh", ["-c", 'openssl "$@" </dev/null 2>/dev/null', "sh", ...flags]);
      return /subject=CN = (.*)/.exec(printed)?.[1];
    };
    expect(await shown()).toBe(name);
    const made = makeSelfSigned({ names: ["new.example.test"], from: new Date(), to: new Date(Date.now() + 1e10) });
    const before = readFileSync(cert, "utf8");
    writeFileSync(join(ours.data, "tls-key.pem"), made.key);
    writeFileSync(cert, made.cert);
    await expect.poll(shown, { timeout: 6000, interval: 200 }).toBe("new.example.test");
    expect(before).not.toBe(made.cert);
    expect((await kdig(ports.dot, "+tls")).answers).toEqual(www);
  });
});
