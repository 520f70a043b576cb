/** A letter to one recipient, from which both parts of a mail are composed: plain text and HTML. */

import { invalid } from "../../../lib/problem.ts";
import { isOneLine, mailAddress } from "../../../lib/text/email.ts";
import { markup, plain } from "../../../lib/text/text.ts";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  /** Plain text. A link, which lets the reader sign in, has a paragraph of its own. Letters without links are notices. */
  readonly paragraphs: readonly (string | { readonly link: string })[];
}

export const hasLink = ({ paragraphs }: Letter) => paragraphs.some((paragraph) => typeof paragraph !== "string");

/** A mail with both of its parts. */
export interface Message {
  /** In the form that mail servers accept. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function messageOf({ to, subject, paragraphs }: Letter): Message {
  const address = mailAddress(to);
  if (address === undefined) throw invalid("a mail cannot be sent: its recipient is not an e-mail address");
  if (!isOneLine(subject)) throw invalid("a mail cannot be sent: its subject is not one line");
  const text = paragraphs.map((paragraph) => plain(typeof paragraph === "string" ? paragraph : paragraph.link));
  return {
    to: address,
    subject,
    text: `${text.join("\n\n")}\n`,
    html: page(paragraphs.map(printParagraph).join("\n")),
  };
}

const printParagraph = (paragraph: Letter["paragraphs"][number]) => {
  if (typeof paragraph === "string") return `<p>${markup(paragraph)}</p>`;
  const link = markup(paragraph.link);
  return `<p><a href="${link}" rel="noreferrer">${link}</a></p>`;
};

/** The page loads nothing from the network. */
const page = (body: string) => `<!doctype html>\n<html><body>\n${body}\n</body></html>\n`;
