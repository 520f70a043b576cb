/** Warnings of a request: what it asks for that has no effect, or may surprise. They go with the reply. */
import { invalid } from "../../lib/problem.ts";

/** The most warnings of one reply; a note counts the others. */
export const mostWarnings = 20;
/** The most warnings in the header, and the most characters of each. */
const header = { warnings: 10, characters: 200 } as const;

export class Warnings {
  /** Whether the caller wants refusals in place of ignored fields. */
  readonly isStrict: boolean;
  readonly #texts = new Set<string>();
  #omitted = 0;
  #mark = { texts: 0, omitted: 0 };

  constructor(isStrict: boolean) {
    this.isStrict = isStrict;
  }

  /** Adds a warning about a field. */
  add(field: string, text: string): void {
    const warning = `${field}: ${text}`;
    if (this.#texts.size < mostWarnings) this.#texts.add(warning);
    else if (!this.#texts.has(warning)) this.#omitted++;
  }

  /** Reports a field that nothing reads. Throws `invalid` if the caller is strict. */
  addUnknown(field: string, hint?: string): void {
    const more = hint === undefined ? "" : `; ${hint}`;
    if (this.isStrict) throw invalid(`${field}: is not known${more}`, { field });
    const start = "is not known and has no effect";
    if (![...this.#texts].some((text) => text.startsWith(`${field}: ${start}`))) this.add(field, start + more);
  }

  /** Counts warnings without their texts. */
  omit(count: number): void {
    this.#omitted += count;
  }

  /** The warnings until now stay when the handler runs again. */
  mark(): void {
    this.#mark = { texts: this.#texts.size, omitted: this.#omitted };
  }

  /** Removes the warnings since the mark: a handler adds its own again when it runs again. */
  rewind(): void {
    for (const text of [...this.#texts].slice(this.#mark.texts)) this.#texts.delete(text);
    this.#omitted = this.#mark.omitted;
  }

  get list(): readonly string[] {
    return this.#omitted === 0 ? [...this.#texts] : [...this.#texts, `and ${this.#omitted} more`];
  }
}

/** Composes the header: warn-code 299 of RFC 7234 section 5.5 for each warning, in printable ASCII. */
export const warningHeader = (warnings: readonly string[]): string =>
  warnings
    .slice(0, header.warnings)
    .map((text) => `299 - "${quoted(text.slice(0, header.characters))}"`)
    .join(", ");

const quoted = (text: string) => text.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "\\$&");
