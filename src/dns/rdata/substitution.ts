/** The field of a NAPTR record that rewrites a text: `!^(.*)$!sip:\\1@example.com!i` (RFC 3402 section 3.2). */
import { show } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";
import { soundString, toText } from "./text.ts";

/** The expression is checked on writing: resolvers drop a whole answer that contains an invalid expression. */
export const substitution = soundString((field) => {
  if (field.length === 1) return;
  const text = toText(field.subarray(1));
  const delimiter = text[0]!;
  if (/[0-9\\i]/.test(delimiter))
    throw new WireError(`${show(text)} begins with a character that cannot be the delimiter`);
  const parts = splitAt(text, delimiter);
  if (parts.length !== 4) throw new WireError(`${show(text)} does not have two parts between three "${delimiter}"`);
  const [, expression, replacement, flags] = parts;
  if (expression === "") throw new WireError(`${show(text)} has an empty expression`);
  if (flags !== "" && flags !== "i") throw new WireError(`${show(text)} has a flag that is not "i"`);
  const groups = plain(expression!).split("(").length - 1;
  const highest = Math.max(0, ...[...replacement!.matchAll(/\\(\d)/g)].map(([, digit]) => Number(digit)));
  if (highest > groups) throw new WireError(`${show(text)} refers to group ${highest} of ${groups}`);
});

/** Splits at each delimiter that is not escaped with a backslash. */
function splitAt(text: string, delimiter: string): string[] {
  const parts = [""];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === delimiter) parts.push("");
    else parts[parts.length - 1] += text[at] === "\\" ? text.slice(at, ++at + 1) : text[at]!;
  }
  return parts;
}

/** The expression without escaped characters and bracket expressions, since "(" opens no group in them. */
const plain = (expression: string) => expression.replace(/\\.|\[\^?\]?[^\]]*\]/gs, "");
