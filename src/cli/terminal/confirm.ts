/** Asks before an act that people would regret. Scripts, which have no terminal, are not asked. */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { invalid } from "../../lib/problem.ts";

interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
}

/** Throws unless the person at the terminal answers with yes. `isSure` is the value of `--yes`, which skips the question. */
export async function confirm(
  question: string,
  isSure: boolean,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (isSure || !input.isTTY) return;
  const lines = createInterface({ input, output });
  try {
    const answer = await new Promise<string>((done) => {
      lines.once("line", done);
      // the end of the input is no answer
      lines.once("close", () => done(""));
      output.write(`${question} [y/N] `);
    });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    lines.close();
  }
  throw invalid("nothing has changed; answer with y, or use --yes");
}
