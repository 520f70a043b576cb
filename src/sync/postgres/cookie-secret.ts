/** The secret from which the edges of a store derive the secrets of DNS cookies. The first edge makes it. */
import { randomBytes } from "node:crypto";
import { connect } from "./connection.ts";

const name = "dns_cookie_secret";

/** Returns 32 octets, the same for every edge of the store. */
export async function readCookieSecret(url: string): Promise<Uint8Array> {
  const client = await connect(url, "cookie secret");
  try {
    const made = randomBytes(32).toString("hex");
    await client.query("insert into setting (name, value) values ($1, $2) on conflict (name) do nothing", [name, made]);
    const { rows } = await client.query<{ value: string }>("select value from setting where name = $1", [name]);
    return Buffer.from(rows[0]!.value, "hex");
  } finally {
    await client.end().catch(() => {});
  }
}
