/** The answers that the forms of record types compose. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { caa } from "./caa.ts";
import { dkim, dmarc, spf } from "./mail.ts";
import { svcb } from "./svcb.ts";
import { tlsa } from "./tlsa.ts";

test("SPF names addresses by their family, and ends with what holds for all others", () => {
  const values = { mx: true, ip: "192.0.2.1, 2001:db8::/32", include: "_spf.example.net", all: "-all" };
  expect(spf.compose(values)).toEqual(["v=spf1 mx ip4:192.0.2.1 ip6:2001:db8::/32 include:_spf.example.net -all"]);
  expect(spf.compose({})).toEqual(["v=spf1 ~all"]);
});

test("DMARC has only the tags that are given", () => {
  expect(dmarc.compose({})).toEqual(["v=DMARC1; p=none"]);
  expect(dmarc.compose({ p: "reject", sp: "none", rua: "a@example.com b@example.com", aspf: "s" })).toEqual([
    "v=DMARC1; p=reject; sp=none; rua=mailto:a@example.com,mailto:b@example.com; aspf=s",
  ]);
});

test("DKIM takes the key from PEM or base64", () => {
  const pem = "-----BEGIN PUBLIC KEY-----\nMCow\nBQYD\n-----END PUBLIC KEY-----\n";
  for (const p of [pem, "MCowBQYD", "MCow BQYD"]) {
    expect(dkim.compose({ p, k: "ed25519" })).toEqual(["v=DKIM1; k=ed25519; p=MCowBQYD"]);
  }
});

test("CAA: an authority, nobody, parameters, and the critical flag", () => {
  expect(caa.compose({ value: "letsencrypt.org" })).toEqual([0, "issue", "letsencrypt.org"]);
  expect(caa.compose({ tag: "issuewild" })).toEqual([0, "issuewild", ";"]);
  expect(caa.compose({ value: "ca.example", validationmethods: "dns-01", critical: true })).toEqual([
    ...[128, "issue", "ca.example; validationmethods=dns-01"],
  ]);
});

test("SVCB has parameters, and an alias has none", () => {
  expect(svcb.compose({ alpn: "h3, h2", port: 8443, ipv4hint: "192.0.2.1" })).toEqual([
    ...[1, ".", "alpn=h3,h2 port=8443 ipv4hint=192.0.2.1"],
  ]);
  expect(svcb.compose({ priority: 0, target: "host.example.net", alpn: "h2" })).toEqual([0, "host.example.net"]);
});

test("TLSA is what OpenSSL says of the same certificate", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-tlsa-"));
  try {
    const path = join(directory, "certificate.pem");
    const request = ["req", "-x509", "-newkey", "ed25519", "-nodes", "-subj", "/CN=mail.example", "-days", "1"];
    execFileSync("openssl", [...request, "-keyout", join(directory, "key.pem"), "-out", path], { stdio: "ignore" });
    const certificate = readFileSync(path, "utf8");
    const shell = (command: string) => execFileSync("sh", ["-c", command], { cwd: directory, encoding: "utf8" }).trim();
    const hexOf = (what: string) => shell(`${what} | od -An -v -tx1 | tr -d ' \\n'`);
    const key = "openssl x509 -in certificate.pem -noout -pubkey | openssl pkey -pubin -outform DER";
    const whole = "openssl x509 -in certificate.pem -outform DER";
    expect(await tlsa.compose({ certificate })).toEqual([3, 1, 1, hexOf(`${key} | openssl dgst -sha256 -binary`)]);
    expect(await tlsa.compose({ certificate, usage: "2 DANE-TA", selector: "0 Cert", matching: "2 SHA-512" })).toEqual([
      ...[2, 0, 2, hexOf(`${whole} | openssl dgst -sha512 -binary`)],
    ]);
    expect(await tlsa.compose({ certificate, matching: "0 Full" })).toEqual([3, 1, 0, hexOf(key)]);
    await expect(tlsa.compose({ certificate: certificate.slice(0, 200) })).rejects.toThrow();
  } finally {
    rmSync(directory, { recursive: true });
  }
});
