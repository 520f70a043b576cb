import { X509Certificate } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { followCertificate, readCertificate } from "./certificate.ts";
import { makeSelfSigned } from "./self-signed.ts";
import type { Certificate } from "./tls.ts";

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

const make = (...names: string[]) =>
  makeSelfSigned({ names, from: new Date("2026-01-02T03:04:05Z"), to: new Date("2055-06-07T08:09:10Z") });

function place(made: Certificate) {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-certificate-"));
  cleanups.push(() => rmSync(directory, { recursive: true }));
  const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
  const put = ({ cert, key }: Certificate) => {
    for (const [path, text] of [[files.key, key] as const, [files.cert, cert] as const]) {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    }
  };
  put(made);
  return { files, put };
}

describe("a self-signed certificate", () => {
  test("has the requested names, addresses and validity, and is for TLS servers", () => {
    const parsed = new X509Certificate(make("ns1.example.test", "192.0.2.1", "2001:db8::1").cert);
    expect(parsed.subject).toBe("CN=ns1.example.test");
    expect(parsed.subjectAltName).toBe("DNS:ns1.example.test, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1");
    expect([parsed.validFrom, parsed.validTo]).toEqual(["Jan  2 03:04:05 2026 GMT", "Jun  7 08:09:10 2055 GMT"]);
    expect([parsed.ca, parsed.keyUsage]).toEqual([false, ["1.3.6.1.5.5.7.3.1"]]);
  });

  test("is signed with its own key", () => {
    const parsed = new X509Certificate(make("ns1.example.test").cert);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
  });

  test("can have many names, and has a unique serial number", () => {
    const names = Array.from({ length: 200 }, (_, number) => `ns${number}.${"x".repeat(60)}.example.test`);
    const [one, other] = [new X509Certificate(make(...names).cert), new X509Certificate(make(...names).cert)];
    expect(one.checkHost(names[199]!)).toBe(names[199]);
    expect(one.serialNumber).not.toBe(other.serialNumber);
  });
});

describe("certificate files", () => {
  test("are named in the error if they are invalid", () => {
    const { files, put } = place(make("one.example.test"));
    expect(readCertificate(files).cert).toContain("BEGIN CERTIFICATE");
    put({ ...make("one.example.test"), key: make("other.example.test").key });
    expect(() => readCertificate(files)).toThrow(`${files.cert} and ${files.key} are not a certificate and its key`);
    put({ cert: "nothing", key: "nothing" });
    expect(() => readCertificate(files)).toThrow("are not a certificate and its key");
    unlinkSync(files.key);
    expect(() => readCertificate(files)).toThrow(`${files.key} cannot be read`);
  });

  test("are read again when they change; an unreadable file is reported once, and changes nothing", async () => {
    const { files, put } = place(make("one.example.test"));
    const seen: string[] = [];
    const followed = followCertificate(files, {
      onChange: ({ cert }) => seen.push(new X509Certificate(cert).subject),
      onRefused: () => seen.push("refused"),
      every: 10,
    });
    cleanups.push(() => followed.close());
    expect(seen).toEqual(["CN=one.example.test"]);
    writeFileSync(files.cert, "nothing");
    await expect.poll(() => seen).toEqual(["CN=one.example.test", "refused"]);
    put(make("two.example.test"));
    await expect.poll(() => seen.at(-1)).toBe("CN=two.example.test");
    expect(seen.filter((one) => one === "CN=two.example.test").length).toBe(1);
  });

  test("are read when they appear", async () => {
    const { files, put } = place(make("one.example.test"));
    unlinkSync(files.cert);
    const seen: string[] = [];
    const followed = followCertificate(files, {
      onChange: ({ cert }) => seen.push(new X509Certificate(cert).subject),
      onRefused: () => seen.push("refused"),
      every: 10,
    });
    cleanups.push(() => followed.close());
    put(make("late.example.test"));
    await expect.poll(() => seen).toEqual(["refused", "CN=late.example.test"]);
  });
});
