import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { readConfig } from "../../config/config.ts";
import { makeSelfSigned } from "../../net/tls/self-signed.ts";
import { provideCertificate } from "./certificate.ts";

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "fairlead-certificate-"));
  cleanups.push(() => rmSync(made, { recursive: true }));
  return made;
}

const configured = (data: string, more: Record<string, string | string[]> = {}) =>
  readConfig({ data, dot: ["192.0.2.1:853", "[::]:853"], nameservers: ["ns1.example.net"], ...more }, {});

const parsed = (path: string) => new X509Certificate(readFileSync(path));

describe("the certificate of encrypted DNS", () => {
  test("is not created without encrypted DNS", async () => {
    const data = directory();
    expect(await provideCertificate(readConfig({ data }, {}))).toBeUndefined();
    expect(readdirSync(data)).toEqual([]);
  });

  test("names the name servers and the addresses, if self-signed, and is reused", async () => {
    const data = directory();
    const files = (await provideCertificate(configured(data)))!;
    const made = parsed(files.cert);
    expect(made.checkHost("ns1.example.net")).toBe("ns1.example.net");
    expect(made.checkIP("192.0.2.1")).toBe("192.0.2.1");
    expect(statSync(files.key).mode & 0o777).toBe(0o600);
    expect(parsed((await provideCertificate(configured(data)))!.cert).serialNumber).toBe(made.serialNumber);
  });

  test("is replaced, if self-signed, before it expires", async () => {
    const data = directory();
    const files = (await provideCertificate(configured(data)))!;
    const soon = makeSelfSigned({ names: ["ns1.example.net"], from: new Date(), to: new Date(Date.now() + 1e9) });
    writeFileSync(files.cert, soon.cert);
    writeFileSync(files.key, soon.key);
    await provideCertificate(configured(data));
    expect(Date.parse(parsed(files.cert).validTo) - Date.now()).toBeGreaterThan(3000 * 86_400_000);
  });

  test("is the configured one, which is refused with its flag if it is unusable", async () => {
    const data = directory();
    const [cert, key] = [join(data, "c.pem"), join(data, "k.pem")];
    const made = makeSelfSigned({ names: ["ns1.example.net"], from: new Date(), to: new Date(Date.now() + 1e9) });
    writeFileSync(cert, made.cert);
    writeFileSync(key, made.key);
    expect(await provideCertificate(configured(data, { tlsCert: cert, tlsKey: key }))).toEqual({ cert, key });
    await expect(provideCertificate(configured(data, { tlsCert: cert }))).rejects.toThrow("--tls-key is required");
    await expect(provideCertificate(configured(data, { tlsKey: key }))).rejects.toThrow("--tls-cert is required");
    writeFileSync(key, "nothing");
    await expect(provideCertificate(configured(data, { tlsCert: cert, tlsKey: key }))).rejects.toThrow(
      `--tls-cert: ${cert}`,
    );
  });
});
