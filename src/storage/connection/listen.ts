/** Notifications from the store, over a separate connection. */
import pg from "pg";
import { drop } from "../../sync/postgres/connection.ts";

export interface Listener {
  /** True when the connection is gone, so that no notifications arrive any more. */
  readonly lost: boolean;
  close(): void;
}

/** Calls `onNews` for each notification on these channels, and when the connection is lost. Some engines lack LISTEN. */
export async function listen(url: string, channels: readonly string[], onNews: () => void): Promise<Listener> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, keepAlive: true });
  const listener = { lost: false, close: () => drop(client) };
  const lose = () => {
    listener.lost = true;
    onNews();
  };
  client.on("error", lose);
  client.on("end", lose);
  client.on("notification", () => onNews());
  try {
    await client.connect();
    for (const channel of channels) await client.query(`listen ${channel}`);
  } catch (error) {
    listener.close();
    throw error;
  }
  return listener;
}
