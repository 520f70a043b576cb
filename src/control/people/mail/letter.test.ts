/** Both parts of a mail, and characters that may not get into its headers. */
import { expect, test } from "vitest";
import { messageOf } from "./letter.ts";

test("a letter has a text part, and an HTML part whose only markup is its links", () => {
  const paragraphs = ["<img src=x onerror=\"a()\"> & 'b'", { link: "https://dns.example.net/x?a=1&b=2" }];
  const { text, html } = messageOf({ to: "ann@example.com", subject: "s", paragraphs });
  expect(text).toBe("<img src=x onerror=\"a()\"> & 'b'\n\nhttps://dns.example.net/x?a=1&b=2\n");
  expect(html).toContain("<p>&lt;img src=x onerror=&quot;a()&quot;&gt; &amp; &#39;b&#39;</p>");
  expect(html).toContain('<a href="https://dns.example.net/x?a=1&amp;b=2" rel="noreferrer">');
  expect(html).not.toContain("<img");
});

test("neither part has control characters", () => {
  const { text, html } = messageOf({ to: "ann@example.com", subject: "s", paragraphs: ["a\u0000\u001b[31mb"] });
  expect([text, html.includes("<p>a[31mb</p>")]).toEqual(["a[31mb\n", true]);
});

test("a recipient's domain is written as in DNS", () => {
  expect(messageOf({ to: "ann@bücher.example", subject: "s", paragraphs: [] }).to).toBe("ann@xn--bcher-kva.example");
});

test("line breaks get neither into the recipient nor into the subject", () => {
  for (const to of ["a@b.example\r\nBcc: c@d.example", "a@b.example\nX: y", "a@b.example, c@d.example", ""]) {
    expect(() => messageOf({ to, subject: "s", paragraphs: [] })).toThrow(/recipient/);
  }
  for (const subject of ["s\r\nBcc: c@d.example", "s\nX: y", "s\u0000", "s\u2028t"]) {
    expect(() => messageOf({ to: "a@b.example", subject, paragraphs: [] })).toThrow(/subject/);
  }
});
