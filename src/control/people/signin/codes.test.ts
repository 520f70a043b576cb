/** Time-based codes, recovery codes and passwords. */
import { describe, expect, test } from "vitest";
import { assertPassword, hashPassword, isPassword } from "../credentials/password.ts";
import { newRecoveryCodes, recoveryHash } from "../credentials/recovery.ts";
import { newTotpSecret, qrOf, stepOf, totpUrl } from "../credentials/totp.ts";

describe("time-based codes", () => {
  /** The secret of RFC 6238 appendix B, in base 32. */
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

  test("are the last six digits of the codes in RFC 6238 appendix B", async () => {
    for (const [at, code] of [
      [59, "287082"],
      [1111111109, "081804"],
      [1111111111, "050471"],
      [1234567890, "005924"],
      [2000000000, "279037"],
      [20000000000, "353130"],
    ] as const) {
      expect(await stepOf(secret, code, at)).toBe(Math.floor(at / 30));
    }
  });

  test("are valid from one step early to one step late", async () => {
    for (const [later, step] of [
      [-60, undefined],
      [-30, 37037037],
      [0, 37037037],
      [30, 37037037],
      [60, undefined],
    ] as const) {
      expect(await stepOf(secret, "050471", 1111111111 + later)).toBe(step);
    }
  });

  test("are exactly six digits", async () => {
    for (const code of ["", "28708", "2870820", " 287082", "287082\n", "28708２", "287 082"]) {
      expect(await stepOf(secret, code, 59)).toBeUndefined();
    }
  });

  test("come from a secret of 160 bits, which apps take as a URL or a QR code", async () => {
    const fresh = await newTotpSecret();
    expect(fresh).toMatch(/^[A-Z2-7]{32}$/);
    expect(await newTotpSecret()).not.toBe(fresh);
    const url = new URL(await totpUrl(fresh, "ann & bob?"));
    expect([url.protocol, url.searchParams.get("secret"), url.searchParams.get("issuer")]).toEqual([
      "otpauth:",
      fresh,
      "Fairlead",
    ]);
    expect(decodeURIComponent(url.pathname)).toContain("Fairlead:ann & bob?");
    expect(await qrOf(url.href)).toMatch(/^data:image\/png;base64,[\w+/=]+$/);
  });
});

describe("recovery codes", () => {
  const user = { account_id: "a", id: "u" };

  test("are ten different codes of 80 bits", () => {
    const codes = newRecoveryCodes();
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
  });

  test("are valid in any spelling, and have another hash for each user", () => {
    const hash = recoveryHash(user, "01AB-CDEF-GH0J-K1MN");
    for (const typed of ["01abcdefgh0jk1mn", " O1AB CDEF GHOJ KlMN ", "0IAB_CDEF_GH0J_KIMN"]) {
      expect(recoveryHash(user, typed)).toBe(hash);
    }
    expect(recoveryHash({ ...user, id: "v" }, "01AB-CDEF-GH0J-K1MN")).not.toBe(hash);
  });
});

describe("passwords", () => {
  for (const password of ["correct horse battery", "ein langes Paßwört", "🐴🔋🐴🔋🧷🐴🔋🐴🔋🧷🔑🔒"]) {
    test(`${password} is accepted`, () => expect(() => assertPassword(password, "ann")).not.toThrow());
  }
  for (const password of [
    "",
    "elevenchars",
    "aaaaaaaaaaaaaaaa",
    "abababababababab",
    "I am Annabel now",
    "x".repeat(257),
  ]) {
    test(`"${password.slice(0, 20)}" is refused`, () => expect(() => assertPassword(password, "ann")).toThrow());
  }

  test("are hashed by argon2id at a fixed cost, and match in any Unicode normalization", async () => {
    const hash = await hashPassword("ein langes Paßw\u00f6rt");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await isPassword(hash, "ein langes Paßwo\u0308rt")).toBe(true);
    expect(await isPassword(hash, "ein langes Passwort")).toBe(false);
    expect(await isPassword(null, "ein langes Paßwört")).toBe(false);
  });

  test("are checked while other work continues", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await Promise.all(Array.from({ length: 4 }, () => isPassword(null, "any")));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
