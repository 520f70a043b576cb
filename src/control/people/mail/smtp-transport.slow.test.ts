/** Mails through a real SMTP server: delivery, TLS, logins, and the messages of refusals. */
import { type AddressInfo, createServer } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, describe, expect, test } from "vitest";
import { readMail } from "../../../../test/service/mails.ts";
import type { SmtpServer } from "../../../lib/text/email.ts";
import { messageOf } from "./letter.ts";
import { smtpTransport } from "./smtp-transport.ts";
import { MailRefused } from "./transport.ts";

const letter = {
  to: "ann@bücher.example",
  subject: "Willkommen, Jürgen",
  paragraphs: ["<b>", { link: "https://x.example/#t" }],
};
const from = "fairlead@example.net";
const soon = () => AbortSignal.timeout(10_000);

/** A server on a free port, and the mails it received. */
async function server(options: SMTPServerOptions = {}) {
  const taken: { envelope: unknown; octets: string }[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, callback) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          envelope: [mailFrom ? mailFrom.address : "", ...rcptTo.map(({ address }) => address)],
          octets: Buffer.concat(pieces).toString("latin1"),
        });
        callback();
      });
    },
    ...options,
  });
  smtp.on("error", () => {});
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  afterAll(() => new Promise<void>((resolve) => smtp.close(resolve)));
  const { port } = smtp.server.address() as AddressInfo;
  const place: SmtpServer = { host: "127.0.0.1", port, secure: false, isTlsOptional: false, auth: undefined };
  const send = (rest: Partial<SmtpServer> = {}, to = letter.to) =>
    smtpTransport({ ...place, ...rest }, from).send("m1", messageOf({ ...letter, to }), soon());
  return { taken, send };
}

const refusal = async (sending: Promise<void>): Promise<MailRefused> => {
  const error = await sending.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(MailRefused);
  return error;
};

test("a mail arrives with both parts, for its one recipient", async () => {
  const { taken, send } = await server();
  await send();
  expect(taken).toHaveLength(1);
  // the server's library shows domains in Unicode
  expect(taken[0]?.envelope).toEqual([from, "ann@bücher.example"]);
  expect(taken[0]?.octets).toContain("To: ann@xn--bcher-kva.example");
  const mail = await readMail(Buffer.from(taken[0]?.octets ?? "", "latin1"));
  expect(mail).toMatchObject({ subject: letter.subject, messageId: "<m1@example.net>", from: { address: from } });
  expect(mail.text?.trim()).toBe("<b>\n\nhttps://x.example/#t");
  expect(mail.html).toContain("<p>&lt;b&gt;</p>");
});

describe("a login", () => {
  const auth = { user: "fair lead", pass: "a secret" };
  const wanting = {
    authOptional: false,
    allowInsecureAuth: true,
    authMethods: ["PLAIN"],
    onAuth: (given, _, callback) =>
      given.username === auth.user && given.password === auth.pass
        ? callback(null, { user: "f" })
        : callback(new Error(`no ${given.password}`)),
  } satisfies SMTPServerOptions;

  test("is sent to a server that requires one", async () => {
    const { taken, send } = await server(wanting);
    await send({ auth });
    expect(taken).toHaveLength(1);
  });

  test("that is wrong is not a permanent failure, and is not in the message", async () => {
    const { send } = await server(wanting);
    const { message, isFinal, isGeneral } = await refusal(send({ auth: { ...auth, pass: "wrong one" } }));
    expect([isFinal, isGeneral]).toEqual([false, true]);
    expect(message).not.toMatch(/wrong one|fair lead/);
  });

  test("is not in the message when the server repeats it in another refusal", async () => {
    const base64 = Buffer.from(auth.pass).toString("base64");
    const { send } = await server({
      ...wanting,
      onRcptTo: (_, __, callback) =>
        callback(Object.assign(new Error(`${auth.user}, ${auth.pass}, ${base64}: no`), { responseCode: 550 })),
    });
    expect((await refusal(send({ auth }))).message).toMatch(/: 550 \*\*\*, \*\*\*, \*\*\*: no$/);
  });
});

test("a permanent refusal of the recipient is final, a transient one is not", async () => {
  const refusing = (responseCode: number) =>
    server({
      onRcptTo: (address, _, callback) => callback(Object.assign(new Error(`no ${address.address}`), { responseCode })),
    });
  expect(await refusal((await refusing(550)).send())).toMatchObject({ isFinal: true, isGeneral: false });
  expect(await refusal((await refusing(451)).send())).toMatchObject({ isFinal: false, isGeneral: false });
});

test("a server that is unreachable or silent fails for all mails", async () => {
  const mute = createServer();
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const { port } = mute.address() as AddressInfo;
  const place: SmtpServer = { host: "127.0.0.1", port, secure: false, isTlsOptional: false, auth: undefined };
  const send = (signal: AbortSignal) => smtpTransport(place, from).send("m1", messageOf(letter), signal);
  expect(await refusal(send(AbortSignal.timeout(200)))).toMatchObject({ isFinal: false, isGeneral: true });
  await new Promise<void>((resolve) => mute.close(() => resolve()));
  expect(await refusal(send(soon()))).toMatchObject({ isFinal: false, isGeneral: true });
});

test("a server's certificate must be valid, unless TLS is optional", async () => {
  const { taken, send } = await server({ secure: true });
  expect(await refusal(send({ secure: true }))).toMatchObject({ isFinal: false, isGeneral: true });
  expect(taken).toEqual([]);
  await send({ secure: true, isTlsOptional: true });
  expect(taken).toHaveLength(1);
});

describe("a server that is not on this machine", () => {
  // an address that is not recognised as local, although it is
  const host = "::ffff:127.0.0.1";
  const secure: boolean[] = [];
  const noting = {
    onMailFrom(_, session, callback) {
      secure.push(session.secure);
      callback();
    },
  } satisfies SMTPServerOptions;

  test("gets no data without TLS, unless TLS is optional", async () => {
    const { taken, send } = await server(noting);
    expect(await refusal(send({ host }))).toMatchObject({ isFinal: false, isGeneral: true });
    expect([taken, secure]).toEqual([[], []]);
    await send({ host, isTlsOptional: true });
    expect([taken.length, secure.splice(0)]).toEqual([1, [false]]);
  });

  test("is used with STARTTLS, once its certificate is checked", async () => {
    const { taken, send } = await server({ ...noting, disabledCommands: [] });
    expect((await refusal(send({ host }))).message).toMatch(/certificate/);
    expect([taken, secure]).toEqual([[], []]);
    await send({ host, isTlsOptional: true });
    expect([taken.length, secure.splice(0)]).toEqual([1, [true]]);
  });
});
