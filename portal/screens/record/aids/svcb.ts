/** An aid for SVCB and HTTPS records (RFC 9460): where and how a service is reached. */
import { aidTexts as texts } from "../../../text/aids.ts";
import { type Aid, field, textOf, wordsOf } from "./aid.ts";

export const svcb: Aid = {
  ...texts.svcb,
  listing: {
    priority: field(texts.svcb.priority, { desc: texts.svcb.priorityHint, type: "number", default: "1" }),
    target: field(texts.svcb.target, { desc: texts.svcb.targetHint, default: "." }),
    alpn: field(texts.svcb.alpn, { desc: texts.svcb.alpnHint }),
    port: field(texts.svcb.port, { type: "number" }),
    ipv4hint: field(texts.svcb.ipv4hint, { desc: texts.separated }),
    ipv6hint: field(texts.svcb.ipv6hint, { desc: texts.separated }),
    ech: field(texts.svcb.ech, { type: "textarea" }),
  },
  compose(values) {
    const priority = Number(textOf(values, "priority") || 1);
    const keys = ["alpn", "port", "ipv4hint", "ipv6hint", "ech"];
    const parameters = keys.flatMap((key) => {
      const words = wordsOf(values, key);
      return words.length === 0 ? [] : [`${key}=${words.join(",")}`];
    });
    // RFC 9460 section 2.4.2: an alias has no parameters
    return [
      priority,
      textOf(values, "target") || ".",
      ...(priority === 0 ? [] : [parameters.join(" ")].filter(Boolean)),
    ];
  },
};
