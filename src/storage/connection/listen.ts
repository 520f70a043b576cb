/** Notices from the store: a hint that something happened, over a connection of its own. */
import pg from "pg";

export interface Listener {
  /** Whether notices are lost from now on: the connection is gone. */
  readonly lost: boolean;
  close(): void;
}

/** Calls `notice` for each notification on these channels, and once it is lost. Fails where the engine knows no LISTEN. */
export async function listen(url: string, channels: readonly string[], notice: () => void): Promise<Listener> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, keepAlive: true });
  const listener = { lost: false, close: () => client.connection.stream.destroy() };
  const lose = () => {
    listener.lost = true;
    notice();
  };
  client.on("error", lose);
  client.on("end", lose);
  client.on("notification", () => notice());
  try {
    await client.connect();
    for (const channel of channels) await client.query(`listen ${channel}`);
  } catch (error) {
    listener.close();
    throw error;
  }
  return listener;
}
