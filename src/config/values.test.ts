import { describe, expect, test } from "vitest";
import { deletionGuard, mailSender, publicUrl, smtpServer, transferTime } from "./values.ts";

test("the guard against deletions is a share, with or without single deletions", () => {
  expect(deletionGuard("30")).toEqual({ percent: 30, isSingle: false });
  expect(deletionGuard("0/single")).toEqual({ percent: 0, isSingle: true });
  expect(deletionGuard("off")).toEqual({ percent: 100, isSingle: false });
  for (const text of ["", "101", "30%", "30/all", "-1"]) expect(() => deletionGuard(text)).toThrow("30/single");
});

test("the time limit of a message is at most that of its transfer", () => {
  expect(transferTime("10/3600")).toEqual({ message: 10, transfer: 3600 });
  for (const text of ["10", "0/5", "60/10", "1/100000", "a/b", "1/2/3"]) expect(() => transferTime(text)).toThrow();
});

describe("a mail server", () => {
  const plain = { secure: false, isTlsOptional: false, auth: undefined };

  test("has a default port, and credentials only if they are given", () => {
    expect(smtpServer("smtp://mail.example.net")).toEqual({ ...plain, host: "mail.example.net", port: 587 });
    expect(smtpServer("smtp://[::1]:25?tls=optional")).toEqual({
      ...plain,
      host: "::1",
      port: 25,
      isTlsOptional: true,
    });
    const auth = { user: "a@b.example", pass: "p:/@%" };
    const text = "smtps://a%40b.example:p%3A%2F%40%25@mail.example.net";
    expect(smtpServer(text)).toEqual({ ...plain, host: "mail.example.net", port: 465, secure: true, auth });
  });

  test("is refused, if invalid, without repeating its password", () => {
    for (const text of [
      ...["mail.example.net", "http://u:geheim@h", "smtp://u:geheim@h/x", "smtp://u:geheim@h?tls=off"],
      ...["smtps://u:geheim@h?tls=optional", "smtp://u:geheim%@h", "smtp://u:geheim@h:99999", "smtp:"],
    ]) {
      expect(() => smtpServer(text)).toThrow(/^(?!.*geheim)/);
    }
  });
});

test("a public URL has neither user nor query, and loses its last slash", () => {
  expect(publicUrl("https://dns.example.net/")).toBe("https://dns.example.net");
  expect(publicUrl("http://[::1]:8080/portal/")).toBe("http://[::1]:8080/portal");
  for (const text of [
    "dns.example.net",
    "ftp://a.example",
    "https://u:p@a.example",
    "https://a.example/?x",
    "https://a.example/#x",
  ]) {
    expect(() => publicUrl(text)).toThrow();
  }
});

test("a sender is one address", () => {
  expect(mailSender("dns@example.net")).toBe("dns@example.net");
  expect(() => mailSender("Fairlead <dns@example.net>")).toThrow();
});
