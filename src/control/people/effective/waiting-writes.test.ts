/** Writes that wait for other writes in the account: a caller who has lost the right in the meantime changes nothing. */
import { describe, expect, test } from "vitest";
import { type Answer, type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { signedIn } from "../../../../test/service/browser.ts";
import { lockAwaited } from "../../../../test/store/store.ts";
import { newId } from "../../../lib/ids.ts";
import { routes } from "../../index.ts";
import { lockAccount, type Tx } from "../../kit/store.ts";

const api = await startApi();
const keys = "account/apikeys";
const account_id = String((await api.store.db.selectFrom("account").select("id").executeTakeFirstOrThrow()).id);

type Key = Fields & { readonly id: string; readonly key: string };
type Write = () => Promise<Answer>;

const create = (fields: Fields = {}) => api.must<Key>("PUT", keys, { name: newId(), ...fields });
const idOf = ({ key }: Client) => api.must<Key[]>("GET", keys).then((all) => all.find((one) => one.key === key)!.id);
const make = (client: Pick<Client, "call">) => () => client.call("PUT", keys, { name: newId() });

/** Sends writes that wait for the account until `meanwhile` is done. */
async function during(meanwhile: (tx: Tx) => Promise<unknown>, ...writes: readonly Write[]): Promise<Answer[]> {
  const sent: Promise<Answer>[] = [];
  await api.store.transaction(async (tx) => {
    await lockAccount(tx, account_id);
    sent.push(...writes.map((write) => write()));
    // one waits in the store, the others before it
    await lockAwaited(api.store);
    await api.must("GET", "networks");
    await meanwhile(tx);
  });
  return await Promise.all(sent);
}

const nothing = async () => {};
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

test("every write of an account's settings is exclusive", () => {
  const others = routes.filter(
    ({ method, path, exclusive }) => method !== "GET" && path.startsWith("/v1/account/") && !exclusive,
  );
  expect(others.map(({ path }) => path)).toEqual([]);
});

describe("of two that delete each other, one remains:", () => {
  test("two users", async () => {
    const [one, other] = [await signedIn(api), await signedIn(api)];
    const answers = await during(
      nothing,
      () => one.page.call("DELETE", `account/users/${other.user.username}`),
      () => other.page.call("DELETE", `account/users/${one.user.username}`),
    );
    expect(statusesOf(answers)).toEqual([200, 401]);
  });

  test("two keys", async () => {
    const [one, other] = [await api.limited({}), await api.limited({})];
    const [id, otherId] = [await idOf(one), await idOf(other)];
    const answers = await during(
      nothing,
      () => one.call("DELETE", `${keys}/${otherId}`),
      () => other.call("DELETE", `${keys}/${id}`),
    );
    expect(statusesOf(answers)).toEqual([200, 401]);
  });

  test("two keys that name each other's entity tags", async () => {
    const [one, other] = [await api.limited({}), await api.limited({})];
    const [id, otherId] = [await idOf(one), await idOf(other)];
    const seen = async (by: Client, which: string) => (await by.call("GET", `${keys}/${which}`)).headers.get("etag")!;
    const [etag, otherEtag] = [await seen(other, id), await seen(one, otherId)];
    const answers = await during(
      nothing,
      () => one.call("DELETE", `${keys}/${otherId}`, undefined, { "If-Match": otherEtag }),
      () => other.call("DELETE", `${keys}/${id}`, undefined, { "If-Match": etag }),
    );
    expect(statusesOf(answers)).toEqual([200, 401]);
  });
});

describe("a waiting write is refused if, in the meantime,", () => {
  const cut = (id: string, permissions: object) => async (tx: Tx) =>
    await tx
      .updateTable("api_key")
      .set({ permissions: JSON.stringify(permissions) })
      .where("id", "=", id)
      .execute();

  test("its key loses the right to manage keys", async () => {
    const { id, key } = await create();
    const lost = cut(id, { account: { manage_apikeys: false } });
    const [answer] = await during(lost, make(api.client(key)));
    expect([answer!.status, answer!.body["details"]]).toEqual([403, { permission: "account.manage_apikeys" }]);
  });

  test("its key loses a right that the write would grant", async () => {
    const { id, key } = await create();
    const lost = cut(id, { dns: { manage_zones: false } });
    const [answer] = await during(lost, make(api.client(key)));
    expect([answer!.status, answer!.body["details"]]).toEqual([403, { permissions: ["manage_zones"] }]);
  });

  test("its key gets another string", async () => {
    const { id, key } = await create();
    const rotated = async (tx: Tx) => await tx.deleteFrom("key_claim").where("key_id", "=", id).execute();
    expect(statusesOf(await during(rotated, make(api.client(key))))).toEqual([401]);
  });

  test("a team loses a right that its member would grant", async () => {
    const team = await api.must("PUT", "account/teams", { name: newId() });
    const { key } = await create({ teams: [team["id"]] });
    const permissions = JSON.stringify({ dns: { manage_zones: false } });
    const less = async (tx: Tx) =>
      await tx.updateTable("team").set({ permissions }).where("id", "=", String(team["id"])).execute();
    const [answer] = await during(less, make(api.client(key)));
    expect([answer!.status, answer!.body["details"]]).toEqual([403, { permissions: ["manage_zones"] }]);
  });

  test("its key leaves a team", async () => {
    const team = await api.must("PUT", "account/teams", { name: newId() });
    const own = { account: { manage_teams: false } };
    const { id, key } = await create({ permissions: own });
    await api.must("POST", `${keys}/${id}`, { teams: [team["id"]] });
    const left = async (tx: Tx) => await tx.updateTable("api_key").set({ teams: "[]" }).where("id", "=", id).execute();
    const [answer] = await during(left, () => api.client(key).call("PUT", "account/teams", { name: newId() }));
    expect([answer!.status, answer!.body["details"]]).toEqual([403, { permission: "account.manage_teams" }]);
  });

  test("the user who sent it is deleted, or the session is ended elsewhere", async () => {
    const [gone, out] = [await signedIn(api), await signedIn(api)];
    const end = async (tx: Tx) => {
      await tx.deleteFrom("user_session").where("user_id", "in", [gone.user.id, out.user.id]).execute();
      await tx.deleteFrom("user_token").where("user_id", "=", gone.user.id).execute();
      await tx.deleteFrom("user_credential").where("user_id", "=", gone.user.id).execute();
      await tx.deleteFrom("login_claim").where("user_id", "=", gone.user.id).execute();
      await tx.deleteFrom("account_user").where("id", "=", gone.user.id).execute();
    };
    expect(statusesOf(await during(end, make(gone.page), make(out.page)))).toEqual([401, 401]);
  });

  test("an allow list locks its key out", async () => {
    const { id, key } = await create();
    const shut = async (tx: Tx) =>
      await tx
        .updateTable("api_key")
        .set({ ip_whitelist_strict: true, ip_whitelist: JSON.stringify(["192.0.2.1"]) })
        .where("id", "=", id)
        .execute();
    expect(statusesOf(await during(shut, make(api.client(key))))).toEqual([403]);
  });

  test("the account is suspended", async () => {
    const suspend = (suspended_at: number | null) => async (tx: Tx) =>
      await tx.updateTable("account").set({ suspended_at }).where("id", "=", account_id).execute();
    const [answer] = await during(suspend(1), make(api));
    await api.store.transaction(suspend(null));
    expect([answer!.status, answer!.body["details"]]).toEqual([403, { reason: "suspended" }]);
  });
});
