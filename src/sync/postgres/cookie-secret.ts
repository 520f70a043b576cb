/** The secret from which the edges of a store derive those of cookies: made by the first edge, stored with the settings. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { assertSchema } from "./schema.ts";

const patience = 10_000;
const name = "dns_cookie_secret";

/** 32 octets, the same for everyone who asks this store. */
export async function readCookieSecret(url: string): Promise<Uint8Array> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    application_name: "fairlead cookie secret",
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await assertSchema(client);
    const made = randomBytes(32).toString("hex");
    await client.query("insert into setting (name, value) values ($1, $2) on conflict (name) do nothing", [name, made]);
    const { rows } = await client.query<{ value: string }>("select value from setting where name = $1", [name]);
    return Buffer.from(rows[0]!.value, "hex");
  } finally {
    await client.end().catch(() => {});
  }
}
