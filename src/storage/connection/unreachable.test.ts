import { expect, test } from "vitest";
import { silent } from "../../../test/store/store.ts";
import { openStore } from "../db.ts";

test.each([
  ["postgres://user:secret@127.0.0.1:9/zones", "the store at 127.0.0.1:9/zones cannot be opened: connect ECONNREFUSED"],
  ["postgres://user:secret@nowhere.invalid/zones", "the store at nowhere.invalid/zones cannot be opened: getaddrinfo"],
])("a store that cannot be reached is named without its password: %s", async (url, message) => {
  const opened = openStore(url, { log: silent });
  await expect(opened).rejects.toThrow(message);
  await expect(opened).rejects.not.toThrow("secret");
});
