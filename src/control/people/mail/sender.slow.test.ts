/** The mail queue: sending, retries, delays and giving up, and that no two processes send the same mail. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { atEnd } from "../../../../test/machine/at-end.ts";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { mailsTo } from "../../../../test/service/mails.ts";
import { silent, testStore } from "../../../../test/store/store.ts";
import { insertAccount } from "../../../../test/store/writes.ts";
import { seconds } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import { secretsFrom } from "../../../lib/secrets.ts";
import { listEntries } from "../../write/activity/store.ts";
import { fileTransport, mailDirectory } from "./file-transport.ts";
import type { Letter } from "./letter.ts";
import { redirectMail, sendMail } from "./queue.ts";
import { MailSender, triesFor } from "./sender.ts";
import { listDue } from "./store.ts";
import { MailRefused, type MailTransport } from "./transport.ts";

const secrets = secretsFrom([Buffer.alloc(32, 7)]);

/** A store of its own, a clock that tests move, and a transport with a programmed result. */
async function mailQueue(send: MailTransport["send"]) {
  const store = await testStore();
  const account_id = await insertAccount(store);
  const clock = fakeClock();
  const registry = new Registry();
  const begin = () => {
    registry.clear();
    // each stands for a process
    const own = { ...store, holder: newId() };
    const sender = new MailSender({ store: own, secrets, clock, log: silent, transport: { send }, registry });
    atEnd(() => sender.close());
    return sender;
  };
  const sender = begin();
  const mail = async (letter: Letter, by = account_id) => {
    const acts: unknown[] = [];
    const afterCommit = (act: unknown) => void acts.push(act);
    const ctx = { db: store.db, account_id: by, secrets, now: seconds(clock), afterCommit };
    await sendMail(ctx, letter, { resource_type: "user", resource_id: "u" });
    expect(acts).toEqual(["mail"]);
    sender.wake();
  };
  return {
    store,
    account_id,
    clock,
    begin,
    registry,
    sender,
    waiting: () => store.db.selectFrom("mail").selectAll().orderBy("id").execute(),
    async write(to = "ann@example.com", link = "https://dns.example.net/invite#secret") {
      await mail({ to, subject: "Hello", paragraphs: ["Come", { link }] });
    },
    news: (to: string, what = "Something", by = account_id) =>
      mail({ to, subject: "News", paragraphs: [`${what} was changed.`] }, by),
    async redirect(from: string, to: string) {
      const sending = { db: store.db, account_id, secrets, now: seconds(clock), afterCommit: () => {} };
      await redirectMail(sending, "u", from, to);
    },
    moved(by: number) {
      clock.advance(by * 1000);
      sender.wake();
    },
  };
}

test("a mail is sent once, and is then nowhere in the store", async () => {
  const taken: string[] = [];
  const { write, waiting } = await mailQueue(async (_, { to, subject }) => void taken.push(`${to} ${subject}`));
  await write();
  await expect.poll(waiting).toEqual([]);
  expect(taken).toEqual(["ann@example.com Hello"]);
});

test("a waiting mail is encrypted, and retries have the same id and growing delays", async () => {
  const tries: string[] = [];
  const { write, waiting, moved, clock } = await mailQueue(async (id) => {
    tries.push(id);
    throw new MailRefused("away");
  });
  await write();
  for (const [attempts, wait] of [
    [1, 10],
    [2, 20],
    [3, 40],
  ] as const) {
    await expect.poll(async () => (await waiting())[0]?.attempts).toBe(attempts);
    const [row] = await waiting();
    expect(row?.next_try).toBe(seconds(clock) + wait);
    expect(JSON.stringify(row)).not.toMatch(/secret|Hello|Come/);
    moved(wait);
  }
  expect(new Set(tries).size).toBe(1);
});

test("a mail that is not accepted for three days is given up, and the activity log reports it", async () => {
  const { store, account_id, write, waiting, moved } = await mailQueue(async () => {
    throw new MailRefused("away");
  });
  await write();
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1);
  moved(triesFor);
  await expect.poll(waiting).toEqual([]);
  const times = { start: undefined, end: undefined };
  const none = { ...times, resource_type: undefined, resource_id: undefined, user: undefined, zone: undefined };
  expect(await listEntries(store.db, account_id, none, 10)).toMatchObject([
    { resource_type: "user", resource_id: "u", action: "undelivered", user_name: "mail", user_type: "system" },
  ]);
});

test("a permanently refused mail is given up at once, and later mails are sent", async () => {
  const taken: string[] = [];
  const { write, waiting } = await mailQueue(async (_, { to }) => {
    if (to.startsWith("nobody")) throw new MailRefused("no such user", { isFinal: true });
    taken.push(to);
  });
  await write("nobody@example.com");
  await write("ann@example.com");
  await expect.poll(waiting).toEqual([]);
  expect(taken).toEqual(["ann@example.com"]);
});

test("a mail that cannot be decrypted does not delay others", async () => {
  const taken: string[] = [];
  const { store, write, waiting, begin, sender } = await mailQueue(async (_, { to }) => void taken.push(to));
  await sender.close();
  await write("broken@example.com");
  await store.db.updateTable("mail").set({ content: "v1.00000000.x.y" }).execute();
  await write("ann@example.com");
  begin();
  await expect.poll(async () => (await waiting()).map((row) => row.attempts)).toEqual([1]);
  expect(taken).toEqual(["ann@example.com"]);
});

test("while the mail server is unreachable, one mail is tried and all others are postponed with it", async () => {
  const state = { away: true, tries: 0 };
  const { write, waiting, moved } = await mailQueue(async () => {
    state.tries++;
    if (state.away) throw new MailRefused("away", { isGeneral: true });
  });
  await write();
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1);
  moved(9);
  await write();
  await expect.poll(async () => (await waiting()).map((row) => row.attempts)).toEqual([1, 1]);
  const tries = state.tries;
  moved(5);
  await expect.poll(() => state.tries).toBe(tries + 1);
  state.away = false;
  moved(100);
  await expect.poll(waiting).toEqual([]);
  expect(state.tries).toBe(tries + 3);
});

test("two processes together send each mail once", async () => {
  const taken: string[] = [];
  const { write, waiting, begin } = await mailQueue(async (id) => void taken.push(id));
  const other = begin();
  for (let n = 0; n < 10; n++) {
    await write();
    other.wake();
  }
  await expect.poll(waiting).toEqual([]);
  expect([taken.length, new Set(taken).size]).toEqual([10, 10]);
});

test("an attempt that the end of the service interrupts is not counted, and the next process sends the mail", async () => {
  const state = { hangs: true, asked: 0 };
  const { write, waiting, begin, sender } = await mailQueue(async (_, __, signal) => {
    state.asked++;
    if (state.hangs)
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new MailRefused("ended"))));
  });
  await write();
  await expect.poll(() => state.asked).toBe(1);
  await sender.close();
  expect((await waiting()).map((row) => row.attempts)).toEqual([0]);
  state.hangs = false;
  begin();
  await expect.poll(waiting).toEqual([]);
  expect(state.asked).toBe(2);
});

test("when an address changes, waiting mails with links are deleted, and waiting notices go to both addresses once", async () => {
  const away = { is: true };
  const taken: string[] = [];
  const { write, news, redirect, waiting, moved } = await mailQueue(async (_, { to, subject, text }) => {
    if (away.is) throw new MailRefused("away", { isGeneral: true });
    taken.push(`${subject} ${to} ${text.trim()}`);
  });
  await write();
  await news("ann@example.com");
  await news("ann@elsewhere.example");
  await redirect("ann@example.com", "ann@bücher.example");
  await redirect("ann@bücher.example", "ann@third.example");
  expect(await waiting()).toHaveLength(4);
  away.is = false;
  moved(3600);
  await expect.poll(waiting).toEqual([]);
  const domains = ["elsewhere.example", "example.com", "third.example", "xn--bcher-kva.example"];
  expect(taken.toSorted()).toEqual(domains.map((domain) => `News ann@${domain} Something was changed.`));
});

test("when an address changes back and forth, each waiting notice is queued once per address, and at most 100 wait for one user", async () => {
  const { news, redirect, waiting, sender } = await mailQueue(async () => {});
  await sender.close();
  const addresses = ["ann@a.example", "ann@b.example"] as const;
  await news(addresses[0]);
  for (let change = 0; change < 20; change++) {
    const [from, to] = change % 2 ? addresses.toReversed() : addresses;
    await redirect(from!, to!);
    await news(from!, "Your address");
  }
  // the notices of the 20 changes, and the earlier one to both addresses
  expect(await waiting()).toHaveLength(22);
  for (let n = 0; n < 39; n++) await news(addresses[0], `Thing ${n}`);
  await redirect(...addresses);
  expect(await waiting()).toHaveLength(100);
  await news("ann@c.example", "This");
  await expect(redirect("ann@c.example", "ann@d.example")).rejects.toMatchObject({ code: "limited" });
});

test("accounts are served round robin, for any number of waiting mails and any waiting time", async () => {
  const taken: string[] = [];
  const { store, news, waiting, begin, sender, clock } = await mailQueue(
    async (_, { to }) => void taken.push(to.split("@")[0]!),
  );
  await sender.close();
  for (let n = 0; n < 30; n++) await news("many@example.com", `Thing ${n}`);
  clock.advance(60_000);
  for (const name of ["one", "two"]) await news(`${name}@example.com`, "This", await insertAccount(store));
  begin();
  await expect.poll(waiting).toEqual([]);
  expect(taken.slice(0, 3).toSorted()).toEqual(["many", "one", "two"]);
  expect(taken.filter((name) => name === "many")).toHaveLength(30);
});

test("when mails of more accounts are due than one search returns, the accounts take turns", async () => {
  const { store, news, sender } = await mailQueue(async () => {});
  await sender.close();
  const accounts = await Promise.all(Array.from({ length: 5 }, () => insertAccount(store)));
  for (const by of accounts) for (let n = 0; n < 3; n++) await news("ann@example.com", `Thing ${n}`, by);
  const turns: string[] = [];
  for (let n = 0; n < 5; n++) {
    const due = await listDue(store.db, Number.MAX_SAFE_INTEGER, turns.at(-1) ?? "", 2);
    turns.push(...due.map((key) => key.account_id));
  }
  const order = accounts.toSorted();
  expect(turns).toEqual([...order, ...order]);
});

test("metrics count waiting, sent, refused and given-up mails", async () => {
  const refusal = { now: new MailRefused("away") };
  const { write, registry, moved } = await mailQueue(async () => {
    if (refusal.now) throw refusal.now;
  });
  const counts = async () =>
    (await registry.getMetricsAsJSON()).map(({ name, values }) => `${name.slice(15)} ${values[0]?.value ?? 0}`);
  await write();
  await expect.poll(counts).toEqual(["waiting 1", "sent_total 0", "refused_total 1", "given_up_total 0"]);
  refusal.now = new MailRefused("never", { isFinal: true });
  moved(3600);
  await expect.poll(counts).toEqual(["waiting 0", "sent_total 0", "refused_total 1", "given_up_total 1"]);
  Object.assign(refusal, { now: undefined });
  await write();
  await expect.poll(counts).toEqual(["waiting 0", "sent_total 1", "refused_total 1", "given_up_total 1"]);
});

test("without a server a mail is a file readable by its owner only, with both parts and an unbroken link", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-mail-"));
  atEnd(() => rmSync(data, { recursive: true }));
  const outbox = mailDirectory(data);
  const { write, waiting } = await mailQueue(fileTransport(outbox, "fairlead@example.net").send);
  const link = `https://dns.example.net/invite#${"x".repeat(200)}=é`;
  await write("ann@bücher.example", link);
  await expect.poll(waiting).toEqual([]);
  const [name = ""] = readdirSync(outbox);
  expect([statSync(outbox).mode & 0o777, statSync(join(outbox, name)).mode & 0o777]).toEqual([0o700, 0o600]);
  const [mail] = await mailsTo(data, "ann@xn--bcher-kva.example");
  expect(mail).toMatchObject({ subject: "Hello", from: { name: "Fairlead", address: "fairlead@example.net" } });
  expect(mail?.text?.trim()).toBe(`Come\n\n${link}`);
  expect(mail?.html).toContain(`href="${link}"`);
  expect(readFileSync(join(outbox, name), "utf8")).toContain("Auto-Submitted: auto-generated");
});
