/** Takes a change back as a whole; refused if something that it wrote was changed again. */
import { call } from "../api/client.ts";

export async function undoChange(change: string): Promise<void> {
  const { data } = await call("GET /v1/changesets/{id}/undo", { path: { id: change } });
  await call("PUT /v1/changesets", { body: data.change_set, query: { confirm_deletions: true } });
}
