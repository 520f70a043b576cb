/** Mails to users, and text that none of them contains. */
import { expect, test } from "vitest";
import { messageOf } from "../mail/letter.ts";
import * as letters from "./letters.ts";

const all = Object.values(letters);
const link = "https://dns.example.net/page#token";
const texts = (username: string, email = "ann@example.com") =>
  all.map((write) => messageOf(write({ username, email }, link)).text.replace(link, ""));

test("a username that mail programs would turn into a link is spelled so that they do not", () => {
  for (const text of [...texts("www.evil.example"), ...texts("ann@evil.example")]) {
    expect(text).toMatch(/evil \. example \(without spaces\)/);
    expect(text).not.toMatch(/\S\.\w|\w\.\S/);
  }
});

test("any other username is unchanged, and so is the reader's own address", () => {
  for (const text of texts("ann-7")) expect(text).toMatch(/\bann-7[ .:]/);
  for (const text of texts("ann@example.com")) expect(text).toContain("ann@example.com");
});
