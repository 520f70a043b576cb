/** A page of the portal in a browser: keeps the session's cookie and token, and sends its origin. */
import { join } from "node:path";
import { issueToken, pageLink } from "../../src/control/people/credentials/token.ts";
import { blankUser, insertUser } from "../../src/control/people/members/user-store.ts";
import { newId } from "../../src/lib/ids.ts";
import { masterKeys, secretsFrom } from "../../src/lib/secrets.ts";
import type { Answer, Api, Fields } from "./api.ts";

/** The public URL of `startApi`. */
export const portal = "https://dns.example.net";

export class Browser {
  cookie: string | undefined;
  csrf = "";
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** `headers` go with every request. */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  /** Paths begin after `/v1/`. */
  async call<T = Fields>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const reply = await fetch(`${this.#url}/v1/${path}`, {
      method,
      headers: {
        Origin: portal,
        ...(this.cookie === undefined ? {} : { Cookie: this.cookie, "X-CSRF-Token": this.csrf }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...this.#headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = text !== "" && reply.headers.get("content-type") === "application/json";
    const answer: Answer<T> = {
      status: reply.status,
      headers: reply.headers,
      text,
      body: isJson ? JSON.parse(text) : {},
    };
    this.#keep(answer);
    return answer;
  }

  async must<T = Fields>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  signIn(username: string, password: string): Promise<Answer> {
    return this.call("POST", "auth/signin", { username, password });
  }

  #keep({ headers, body }: Answer<unknown>): void {
    const [pair = ""] = headers.get("set-cookie")?.split(";") ?? [];
    if (pair === "") return;
    this.cookie = pair.endsWith("=") ? undefined : pair;
    this.csrf = typeof body === "object" && body !== null && "csrf_token" in body ? String(body.csrf_token) : "";
  }
}

export interface Invited {
  readonly account_id: string;
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly token: string;
  readonly link: string;
}

/** Invites a user, by default of the first account. */
export async function invited(api: Api, fields: Partial<Parameters<typeof insertUser>[1]> = {}): Promise<Invited> {
  const { id: account_id } = await api.store.db
    .selectFrom("account")
    .select("id")
    .orderBy("created", "desc")
    .orderBy("id")
    .executeTakeFirstOrThrow();
  const id = newId();
  const user = {
    account_id,
    id,
    username: `u-${id}`,
    email: `${id}@example.com`,
    name: "A User",
    permissions: {},
    created: 0,
  };
  const secrets = secretsFrom(masterKeys(join(api.directory, "master.key")));
  const row = { ...blankUser, ...user, ...fields };
  return await api.store.transaction(async (tx) => {
    await insertUser(tx, row);
    const token = await issueToken({ db: tx, secrets, now: Math.floor(Date.now() / 1000) }, row, "invitation");
    const { username, email } = row;
    return {
      account_id: row.account_id,
      id: row.id,
      username,
      email,
      token,
      link: pageLink(portal, "invitation", token),
    };
  });
}

export const goodPassword = "correct horse battery";

/** Invites a user, who sets a password and is then signed in. */
export async function signedIn(
  api: Api,
  fields: Parameters<typeof invited>[1] = {},
): Promise<{ user: Invited; page: Browser }> {
  const user = await invited(api, fields);
  const page = new Browser(api.url);
  await page.must("POST", "auth/invitation", { token: user.token, password: goodPassword });
  return { user, page };
}
