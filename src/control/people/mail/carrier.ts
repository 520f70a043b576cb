/** Who takes mails away: an SMTP server, or a directory where a person finds them. */
import type { Message } from "./letter.ts";

export interface Carrier {
  /** Resolves once the mail is in other hands; throws `MailRefused` otherwise. `id` is the same when it is tried again. */
  send(id: string, message: Message, signal: AbortSignal): Promise<void>;
}

/** A mail was not taken. The message is fit for logs: it holds neither credentials nor what the mail says. */
export class MailRefused extends Error {
  /** Trying again is of no use. */
  readonly isFinal: boolean;
  /** It is not about this mail: others would fare the same now. */
  readonly isGeneral: boolean;

  constructor(reason: string, { isFinal = false, isGeneral = false } = {}) {
    super(reason);
    this.name = "MailRefused";
    this.isFinal = isFinal;
    this.isGeneral = isGeneral;
  }
}

/** Fields of a mail as nodemailer takes them; nothing in them makes it read files or fetch anything. */
export const fieldsOf = (from: string, id: string, { to, subject, text, html }: Message) => ({
  from: { name: "Fairlead", address: from },
  to: { name: "", address: to },
  ...{ subject, text, html },
  // the same for every try, so that a mail that comes twice can be told by its receiver
  messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
  // RFC 3834 section 5: nobody's holiday answers to it
  headers: { "Auto-Submitted": "auto-generated" },
  ...{ disableFileAccess: true, disableUrlAccess: true },
});
