/** Aids for what mail needs in TXT records: who sends for a name, its keys, and what becomes of other mail. */
import { aidTexts as texts } from "../../../text/aids.ts";
import { type Aid, field, octetsOf, textOf, wordsOf } from "./aid.ts";

/** RFC 7208 section 4.5 and 5. */
export const spf: Aid = {
  ...texts.spf,
  listing: {
    mx: field(texts.spf.mx, { type: "checkbox" }),
    a: field(texts.spf.a, { type: "checkbox" }),
    ip: field(texts.spf.ip, { desc: texts.separated }),
    include: field(texts.spf.include, { desc: texts.spf.includeHint }),
    all: field(texts.spf.all, { choices: ["-all", "~all", "?all"], default: "~all" }),
  },
  compose(values) {
    const words = ["a", "mx"].filter((name) => values[name] === true);
    const addresses = wordsOf(values, "ip").map((ip) => `${ip.includes(":") ? "ip6" : "ip4"}:${ip}`);
    const others = wordsOf(values, "include").map((name) => `include:${name}`);
    return [["v=spf1", ...words, ...addresses, ...others, textOf(values, "all") || "~all"].join(" ")];
  },
};

const modes = { choices: ["r", "s"], default: "r" };

/** RFC 7489 section 6.3. */
export const dmarc: Aid = {
  ...texts.dmarc,
  listing: {
    p: field(texts.dmarc.p, { choices: ["none", "quarantine", "reject"], default: "none" }),
    sp: field(texts.dmarc.sp, { choices: ["none", "quarantine", "reject"] }),
    rua: field(texts.dmarc.rua, { desc: texts.separated }),
    ruf: field(texts.dmarc.ruf, { desc: texts.separated }),
    adkim: field(texts.dmarc.adkim, modes),
    aspf: field(texts.dmarc.aspf, modes),
  },
  compose(values) {
    const mailboxes = (name: string) => wordsOf(values, name).map((address) => `mailto:${address}`);
    const tags: [string, string][] = [
      ["p", textOf(values, "p") || "none"],
      ["sp", textOf(values, "sp")],
      ["rua", mailboxes("rua").join(",")],
      ["ruf", mailboxes("ruf").join(",")],
      ["adkim", textOf(values, "adkim")],
      ["aspf", textOf(values, "aspf")],
    ];
    return [["v=DMARC1", ...tags.filter(([, value]) => value !== "").map((tag) => tag.join("="))].join("; ")];
  },
};

/** RFC 6376 section 3.6.1 and RFC 8463. */
export const dkim: Aid = {
  ...texts.dkim,
  listing: {
    k: field(texts.dkim.k, { choices: ["rsa", "ed25519"], default: "rsa" }),
    p: field(texts.dkim.p, { desc: texts.dkim.pHint, type: "textarea", required: true }),
  },
  compose(values) {
    const key = btoa(String.fromCharCode(...octetsOf(textOf(values, "p"))));
    return [`v=DKIM1; k=${textOf(values, "k") || "rsa"}; p=${key}`];
  },
};
