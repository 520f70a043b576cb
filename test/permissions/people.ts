/** A signed-in user whom each case changes as needed: signing in takes longer than a whole case. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { allRights, type Permissions } from "./rules.ts";
import type { Holder, Send, Session, World } from "./world.ts";

export interface Entrance {
  readonly url: string;
  /** The directory of the service's mails. */
  readonly outbox: string;
}

const password = "correct horse battery";
const groups = [...new Set(allRights.map((right) => right.split(".")[0]!))];
const unset = Object.fromEntries([...groups, "default"].map((group) => [group, null]));

export class Person {
  readonly #world: World;
  readonly #send: Send;
  readonly #entrance: Entrance;
  readonly #name: string;
  #count = 0;
  #known: { readonly username: string; readonly session: Session } | undefined;

  constructor(world: World, send: Send, entrance: Entrance, name: string) {
    this.#world = world;
    this.#send = send;
    this.#entrance = entrance;
    this.#name = name;
  }

  isCalled(username: string | undefined): boolean {
    return username !== undefined && username === this.#known?.username;
  }

  /** Gives the user these teams or permissions. Creates a new user if the previous one was deleted. */
  async become(permissions: Permissions, teams: readonly string[]): Promise<{ id: string; session: Session }> {
    const users = await this.#world.must<Holder[]>("GET", "account/users");
    if (!users.some(({ username }) => username === this.#known?.username)) this.#known = await this.signIn();
    const { username, session } = this.#known!;
    const path = `account/users/${username}`;
    await this.#world.must("POST", path, { teams: [], permissions: unset });
    const { id } = await this.#world.must<Holder>("POST", path, teams.length > 0 ? { teams } : { permissions });
    return { id, session };
  }

  /** Creates a user with all rights, and signs in through the invitation. */
  async signIn(): Promise<{ username: string; session: Session }> {
    const username = `${this.#world.label}.${this.#name}${++this.#count}`;
    const email = `${username}@mail.example`;
    const permissions = { account: { manage_auth_keys: true }, operator: { view: true, manage: true } };
    await this.#world.must("PUT", "account/users", { username, email, permissions });
    const { url, outbox } = this.#entrance;
    const reply = await fetch(`${url}/v1/auth/invitation`, {
      method: "POST",
      headers: { Origin: url, "Content-Type": "application/json" },
      body: JSON.stringify({ token: await tokenIn(outbox, email), password }),
    });
    const [cookie = ""] = reply.headers.get("set-cookie")?.split(";") ?? [];
    const { csrf_token } = (await reply.json()) as { csrf_token?: string };
    if (cookie === "" || csrf_token === undefined) throw new Error(`signing in was answered with ${reply.status}`);
    const session = { cookie, csrf: csrf_token };
    const { status } = await this.#send(session, "GET", "zones");
    if (status !== 200) throw new Error(`a session of a user with all rights was answered with ${status}`);
    return { username, session };
  }
}

async function tokenIn(outbox: string, email: string): Promise<string> {
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    for (const name of await readdir(outbox).catch(() => [])) {
      if (name.startsWith(".") || !name.endsWith(".eml")) continue;
      const mail = await readFile(join(outbox, name), "utf8");
      const token = mail.includes(email) ? /\/invitation#([\w-]{43})/.exec(mail)?.[1] : undefined;
      if (token !== undefined) return token;
    }
    await delay(50);
  }
  throw new Error(`${email} was sent no invitation`);
}
