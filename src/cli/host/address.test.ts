/** The public URL in links that a command on the host prints. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { silent } from "../../../test/store/store.ts";
import { readConfig } from "../../config/config.ts";
import { addressOf, forgetAddress, keepAddress } from "./address.ts";

const data = mkdtempSync(join(tmpdir(), "fairlead-address-"));
afterAll(() => rmSync(data, { recursive: true }));
const assumed = { publicUrl: "http://127.0.0.1:8080", isAssumed: true };
const own = readConfig({ data }, {});

test("the public URL is that of the running service, unless the command has its own", () => {
  const running = readConfig({ data, http: "0.0.0.0:8253" }, {});
  keepAddress(running, silent);
  expect(addressOf(own)).toEqual({ publicUrl: "http://127.0.0.1:8253", isAssumed: false });
  const configured = readConfig({ data, publicUrl: "https://dns.example.net" }, {});
  expect(addressOf(configured)).toEqual({ publicUrl: "https://dns.example.net", isAssumed: false });
  forgetAddress(running);
  expect(addressOf(own)).toEqual(assumed);
});

test("the public URL is marked as assumed if its file is missing or invalid", () => {
  writeFileSync(join(data, "address"), "nonsense");
  expect(addressOf(own)).toEqual(assumed);
});

test("a service starts even if its public URL cannot be saved", () => {
  const config = readConfig({ data: join(data, "none", "there") }, {});
  keepAddress(config, silent);
  forgetAddress(config);
  expect(addressOf(config)).toEqual(assumed);
});
