/** Answers of records as one line of text each, as in zone files, and back into the parts that the API takes. */

export type Part = string | number;

/** An answer as text. `isText` says that the type's only field is free text, such as that of TXT. */
export function printAnswer(answer: readonly Part[], isText = false): string {
  const [first] = answer;
  if (answer.length === 1) return isText && String(first).startsWith('"') ? quote(String(first)) : String(first);
  return answer.map((part) => (isText || mustBeQuoted(part) ? quote(String(part)) : String(part))).join(" ");
}

const mustBeQuoted = (part: Part) => typeof part === "string" && (part === "" || /^"|\s/.test(part));

const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** The parts of an answer; free text is one part, unless it is written as strings in quotes. */
export function scanAnswer(text: string, isText = false): Part[] {
  const line = text.trim();
  if (isText && !line.startsWith('"')) return [line];
  const words = line.match(/"(?:[^"\\]|\\.)*"|(?:[^\s"]|"(?:[^"\\]|\\.)*")+|"/g) ?? [];
  return words.map((word) => (isText ? unquote(word) : partOf(word)));
}

const partOf = (word: string): Part => (/^(0|[1-9]\d{0,9})$/.test(word) ? Number(word) : unquote(word));

const unquote = (word: string) =>
  word.length > 1 && word.startsWith('"') && word.endsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, "$1") : word;
