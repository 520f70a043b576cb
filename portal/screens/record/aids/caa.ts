/** An aid for CAA records (RFC 8659 section 4, RFC 8657): who may issue certificates for a name. */
import { aidTexts as texts } from "../../../text/aids.ts";
import { type Aid, field, textOf } from "./aid.ts";

const critical = 128;

export const caa: Aid = {
  ...texts.caa,
  listing: {
    tag: field(texts.caa.tag, { choices: ["issue", "issuewild", "issuemail", "iodef"], default: "issue" }),
    value: field(texts.caa.value, { desc: texts.caa.valueHint }),
    accounturi: field(texts.caa.accounturi),
    validationmethods: field(texts.caa.validationmethods, { desc: texts.caa.validationmethodsHint }),
    critical: field(texts.caa.critical, { type: "checkbox" }),
  },
  compose(values) {
    const given = ["accounturi", "validationmethods"].filter((name) => textOf(values, name) !== "");
    const parameters = given.map((name) => `${name}=${textOf(values, name)}`);
    const value = [textOf(values, "value") || ";", ...parameters].join("; ").replace(/^;; /, "; ");
    return [values["critical"] === true ? critical : 0, textOf(values, "tag") || "issue", value];
  },
};
