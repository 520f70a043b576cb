/** E-mail addresses, and texts for headers. */
import { describe, expect, test } from "vitest";
import { isOneLine, mailAddress } from "./email.ts";

describe("an address", () => {
  for (const [text, wanted] of [
    ["ann@example.com", "ann@example.com"],
    ["Ann.B+tag@Example.COM", "Ann.B+tag@example.com"],
    ["o'neil@mail.example.co.uk", "o'neil@mail.example.co.uk"],
    ["ann@bücher.example", "ann@xn--bcher-kva.example"],
    ["ann@例え.テスト", "ann@xn--r8jz45g.xn--zckzah"],
  ] as const) {
    test(`${text} is sent to ${wanted}`, () => expect(mailAddress(text)).toBe(wanted));
  }

  const wrong = [
    ...["", "ann", "@example.com", "ann@", "ann@localhost", "ann@192.0.2.1", "ann@[192.0.2.1]", "ann@0x7f.1"],
    ...["a@b.example\r\nBcc: c@d.example", "a@b.example\n", "a@b.example, c@d.example", "a@b.example c@d.example"],
    ...["Ann <ann@example.com>", "<ann@example.com>", "ann@@example.com", "a@b@example.com", ".a@example.com"],
    ...["a..b@example.com", "ann@example..com", "ann@-a.example", "ann@a_b.example", "ann@%65xample.com"],
    ...["änn@example.com", "ann@exa\u202emple.com", "ann@example.com\u0000", '"a b"@example.com', "ann@example.com/x"],
    ...[
      `${"a".repeat(65)}@example.com`,
      `a@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(63)}.com`,
    ],
  ];
  for (const text of wrong) {
    test(`${JSON.stringify(text).slice(0, 60)} is not an address`, () => expect(mailAddress(text)).toBeUndefined());
  }
});

test("a line has no controls, and no characters that change its direction", () => {
  for (const text of ["Ann", "Jürgen Ö.", "山田 太郎", "علي", ""]) expect(isOneLine(text)).toBe(true);
  for (const text of ["a\nb", "a\rb", "a\u0000", "\u001b[31m", "a\u2028b", "\u202egpj.exe", "\u2066x", "a\u007f"]) {
    expect(isOneLine(text)).toBe(false);
  }
});
