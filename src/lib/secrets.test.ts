import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { isSealed, masterKeys, readMasterKeys, secretsFrom } from "./secrets.ts";

const [older, newer] = [randomBytes(32), randomBytes(32)];
const secrets = secretsFrom([newer]);
const directory = mkdtempSync(join(tmpdir(), "fairlead-secrets-"));
afterAll(() => rmSync(directory, { recursive: true }));

describe("an envelope", () => {
  test("opens to the sealed text, and does not show it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 8 }), fc.string(), (text, context) => {
        const sealed = secrets.seal(text, context);
        expect(secrets.open(sealed, context)).toBe(text);
        expect(isSealed(sealed)).toBe(true);
        expect(sealed).not.toContain(text);
      }),
    );
  });

  test("is different each time", () => {
    expect(secrets.seal("key", "c")).not.toBe(secrets.seal("key", "c"));
  });

  test("does not open for another row, nor when altered", () => {
    const sealed = secrets.seal("key", "api_key.secret:1");
    expect(() => secrets.open(sealed, "api_key.secret:2")).toThrow("another row");
    const [version, id, iv, body = ""] = sealed.split(".");
    const altered = [version, id, iv, `${body[0] === "A" ? "B" : "A"}${body.slice(1)}`].join(".");
    expect(() => secrets.open(altered, "api_key.secret:1")).toThrow("altered");
    expect(() => secrets.open("v1.zz", "api_key.secret:1")).toThrow("not an envelope");
    expect(() => secrets.open(`${version}.${id}.${iv}.AAAA`, "api_key.secret:1")).toThrow("not an envelope");
  });

  test("sealed with an older key opens with that key; if the key is missing, the error names it", () => {
    const sealed = secretsFrom([older]).seal("key", "c");
    expect(secretsFrom([newer, older]).open(sealed, "c")).toBe("key");
    expect(() => secrets.open(sealed, "c")).toThrow(`key id ${secretsFrom([older]).keyId}`);
  });
});

describe("the look-up hash", () => {
  test("depends on the text and on the newest key", () => {
    expect(secrets.hash("a")).toBe(secretsFrom([newer, older]).hash("a"));
    expect(secrets.hash("a")).not.toBe(secrets.hash("b"));
    expect(secrets.hash("a")).not.toBe(secretsFrom([older]).hash("a"));
    expect(secrets.hash("a")).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("the master key file", () => {
  test("is created once, and only its owner can read it", () => {
    const file = join(directory, "master.key");
    const [first] = masterKeys(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(masterKeys(file)[0]).toEqual(first);
    expect(readFileSync(file, "utf8")).toMatch(/^[\w-]{43}\n$/);
  });

  test("is refused, with its name, if a line is not a key", () => {
    const file = join(directory, "bad.key");
    for (const text of ["", "short\n", `${"A".repeat(43)}\n${"*".repeat(43)}\n`]) {
      writeFileSync(file, text);
      expect(() => readMasterKeys(file)).toThrow(file);
    }
    expect(() => readMasterKeys(join(directory, "none"))).toThrow("does not exist");
  });
});
