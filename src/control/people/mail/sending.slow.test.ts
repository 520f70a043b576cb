/** Mails on their way from a request to a mail server, which is unreachable at first and refuses one of them. */
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { freePort } from "../../../../test/machine/processes.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";

/** The mails that a server received. It refuses the recipient "nobody". */
async function listening(port: number, taken: string[]) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _, callback) {
      if (!address.startsWith("nobody")) return callback();
      callback(Object.assign(new Error("no such user"), { responseCode: 550 }));
    },
    onData(stream, { envelope }, callback) {
      stream.resume().on("end", () => {
        taken.push(...envelope.rcptTo.map(({ address }) => address));
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  expect((server.server.address() as AddressInfo).port).toBe(port);
  return { [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)) };
}

test("mails outlast a server that is away, and a permanent refusal is in the activity log", async () => {
  const port = await freePort();
  const clock = fakeClock();
  const smtp = { host: "127.0.0.1", port, secure: false, isTlsOptional: false, auth: undefined };
  const api = await startApi({ smtp, clock });
  const waiting = async () => (await api.store.db.selectFrom("mail").selectAll().execute()).length;
  const tried = api.store.db.selectFrom("mail").select("id").where("attempts", ">", 0);
  const invite = (username: string) =>
    api.must<Fields>("PUT", "account/users", { username, email: `${username}@example.com` });

  await invite("ann");
  await expect.poll(async () => (await tried.execute()).length).toBe(1);
  const refused = await invite("nobody");
  const taken: string[] = [];
  await using _ = await listening(port, taken);
  clock.advance(3_600_000);
  await expect.poll(waiting).toBe(0);
  expect(taken).toEqual(["ann@example.com"]);
  const log = await api.must<Fields[]>("GET", `account/activity?resource_id=${refused["id"]}`);
  expect(log.map(({ action }) => action)).toEqual(["undelivered", "create"]);
  expect(log[0]?.["resource"]).toMatchObject({ recipient: "nobody@example.com", reason: expect.stringMatching(/550/) });
});
