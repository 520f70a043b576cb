/** The interface of mail transports: an SMTP server, or a directory. */
import type { Message } from "./letter.ts";

export interface MailTransport {
  /** Resolves once the mail is accepted; throws `MailRefused` otherwise. A retry has the same `id`. */
  send(id: string, message: Message, signal: AbortSignal): Promise<void>;
}

/** The refusal of a mail. The message is safe to log: it contains neither credentials nor content of the mail. */
export class MailRefused extends Error {
  /** A retry would fail as well. */
  readonly isFinal: boolean;
  /** The cause is not this mail: other mails would fail now as well. */
  readonly isGeneral: boolean;

  constructor(reason: string, { isFinal = false, isGeneral = false } = {}) {
    super(reason);
    this.name = "MailRefused";
    this.isFinal = isFinal;
    this.isGeneral = isGeneral;
  }
}

/** The fields of a mail for nodemailer, which must not read files or fetch URLs because of them. */
export const fieldsOf = (from: string, id: string, { to, subject, text, html }: Message) => ({
  from: { name: "Fairlead", address: from },
  to: { name: "", address: to },
  ...{ subject, text, html },
  // the same at every attempt, so that recipients recognise duplicates
  messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
  // RFC 3834 section 5: prevents automatic replies
  headers: { "Auto-Submitted": "auto-generated" },
  ...{ disableFileAccess: true, disableUrlAccess: true },
});
