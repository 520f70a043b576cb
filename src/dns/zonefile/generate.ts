/** BIND's $GENERATE: makes a line for each number of a range. */
import { type Token, Tokens, tokenize } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";

/** The maximum number of lines that all directives of a file may make. */
export const mostLines = 65_536;

export interface Generated {
  readonly owner: string;
  /** TTL, class and type as written, and the RDATA. */
  readonly rest: readonly Token[];
}

/**
 * The lines of `$GENERATE start-stop[/step] owner [ttl] [class] type rdata`; `tokens` begin with the range. The file has
 * made `before` lines before.
 */
export function* generate(tokens: readonly Token[], before = 0): Generator<Generated> {
  const [range, owner, ...rest] = tokens;
  if (!range || !owner || rest.length < 2) throw new WireError("$GENERATE needs a range, an owner, a type and RDATA");
  const { start, stop, step } = rangeOf(range.text, before);
  for (let number = start; number <= stop; number += step) {
    yield { owner: fill(owner.text, number), rest: rest.map(filled(number)) };
  }
}

function rangeOf(text: string, before: number): { start: number; stop: number; step: number } {
  const [, start, stop, step = "1"] = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  const isSound = start !== undefined && range.start <= range.stop && range.stop <= 0x7fffffff && range.step > 0;
  if (!isSound) throw new WireError(`$GENERATE: "${text}" is not a range such as 1-100 or 1-100/2`);
  const lines = Math.floor((range.stop - range.start) / range.step) + 1;
  if (before + lines > mostLines) {
    const others = before > 0 ? `, and earlier lines have made ${before}` : "";
    throw new WireError(
      `$GENERATE: ${text} makes ${lines} records${others}; at most ${mostLines} are allowed in a file`,
    );
  }
  return range;
}

const filled =
  (number: number) =>
  ({ text, quoted }: Token): Token => ({ text: fill(text, number), quoted });

/** RDATA that are one quoted token are split into tokens, as in BIND. */
export function rdataTokens(tokens: readonly Token[], at: number): Tokens {
  const last = tokens[at];
  const isLine = last?.quoted === true && tokens.length === at + 1;
  return isLine ? tokenize(last.text.replace(/\\"/g, '"')) : new Tokens(tokens, at);
}

/** Replaces `$` and `${offset,width,base}` with the number; `$$` and `\$` mean the character `$`. */
function fill(text: string, number: number): string {
  if (!text.includes("$")) return text;
  return text.replace(/\\[\s\S]|\$\$|\$(?:\{([^}]*)\}?)?/g, (match, spec: string | undefined) => {
    if (match.startsWith("\\")) return match;
    if (match === "$$") return "\\$";
    if (spec === undefined && match === "$") return String(number);
    if (spec === undefined || !match.endsWith("}")) throw new WireError(`$GENERATE: "${match}" does not end with "}"`);
    return formatted(spec, number);
  });
}

function formatted(spec: string, number: number): string {
  const [, offset, width = "0", base = "d"] = /^(-?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/.exec(spec) ?? [];
  if (offset === undefined || Number(width) > 255) {
    throw new WireError(`$GENERATE: "\${${spec}}" is not in the form \${offset,width,base}`);
  }
  const value = number + Number(offset);
  if (value < 0) throw new WireError(`$GENERATE: "\${${spec}}" makes the negative number ${value}`);
  const digits = value.toString(radix[base]!).padStart(base === "n" || base === "N" ? 1 : Number(width), "0");
  switch (base) {
    case "X":
      return digits.toUpperCase();
    case "n":
      return nibbles(digits, Number(width));
    case "N":
      return nibbles(digits.toUpperCase(), Number(width));
    default:
      return digits;
  }
}

const radix: Readonly<Record<string, number>> = { d: 10, o: 8, x: 16, X: 16, n: 16, N: 16 };

/** Hexadecimal digits as labels, lowest first; the width includes digits and dots. */
function nibbles(digits: string, width: number): string {
  return (
    [...digits.padStart(Math.ceil(width / 2), "0")].reverse().join(".") +
    (width > 0 && width % 2 === 0 && width / 2 >= digits.length ? "." : "")
  );
}
