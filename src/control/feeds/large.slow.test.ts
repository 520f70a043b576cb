/** Feeds with more data than one reply may contain. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/service/api.ts";

const api = await startApi();

type Made = Fields & { readonly id: string };

test("reading a source whose feeds are too large for one reply is refused with a hint; deleting it with its feeds is not", async () => {
  const made = await api.must<Made>("PUT", "data/sources", { name: "large", sourcetype: "nsone_v1" });
  const data = JSON.stringify({ other: "x".repeat(4 * 1024 * 1024) });
  for (let n = 0; n < 9; n++) {
    const named = { name: "feed", config: { label: `Feed${n}` } };
    const { id } = await api.must<Made>("PUT", `data/feeds/${made.id}`, named);
    await api.store.db.updateTable("feed").set({ data }).where("id", "=", id).execute();
  }
  for (const path of ["data/sources", `data/sources/${made.id}`, `data/feeds/${made.id}`]) {
    const refused = await api.call("GET", path);
    expect([refused.status, refused.body["message"]]).toEqual([413, expect.stringContaining("get them one by one")]);
  }
  await api.must("DELETE", `data/sources/${made.id}`);
  await api.must("GET", "data/sources");
});
