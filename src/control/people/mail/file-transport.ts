/** Mails as `.eml` files in a directory, for a service without an SMTP server. */
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectories, syncDirectory } from "../../../lib/files.ts";
import { fieldsOf, MailRefused, type MailTransport } from "./transport.ts";

export const mailDirectory = (data: string) => join(data, "outbox");

/** Only the owner can read the files and the directory: mails contain links that give access. */
export const fileTransport = (directory: string, from: string): MailTransport => ({
  async send(id, message) {
    const { createTransport } = await import("nodemailer");
    const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
    const fields = { ...fieldsOf(from, id, message), text: { raw: unencoded(message.text) } };
    const { message: octets } = await composer.sendMail(fields);
    if (!Buffer.isBuffer(octets)) throw new Error("a mail was composed as a stream");
    await writeWhole(directory, `${id}.eml`, octets).catch((error) => {
      throw new MailRefused(`${directory} cannot be written (${error.code})`, { isGeneral: true });
    });
  },
});

/** The plain-text part, unencoded: other encodings would break a link that a person copies from the file. */
const unencoded = (text: string) =>
  `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text.replaceAll("\n", "\r\n")}`;

/** Resolves once the file is on disk, since the mail is then considered sent. */
async function writeWhole(directory: string, name: string, octets: Buffer): Promise<void> {
  makeDirectories(directory);
  const unfinished = join(directory, `.${name}`);
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.writeFile(octets);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(directory, name));
  syncDirectory(directory);
}
