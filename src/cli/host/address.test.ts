/** Which address links have that a command on the host prints. */
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

test("it is that of the service that runs, unless the command is told another one", () => {
  const running = readConfig({ data, http: "0.0.0.0:8253" }, {});
  keepAddress(running, silent);
  expect(addressOf(own)).toEqual({ publicUrl: "http://127.0.0.1:8253", isAssumed: false });
  const told = readConfig({ data, publicUrl: "https://dns.example.net" }, {});
  expect(addressOf(told)).toEqual({ publicUrl: "https://dns.example.net", isAssumed: false });
  forgetAddress(running);
  expect(addressOf(own)).toEqual(assumed);
});

test("without one, or with a file that holds none, it is said to be assumed", () => {
  writeFileSync(join(data, "address"), "nonsense");
  expect(addressOf(own)).toEqual(assumed);
});

test("a service runs where its address cannot be kept", () => {
  const config = readConfig({ data: join(data, "none", "there") }, {});
  keepAddress(config, silent);
  forgetAddress(config);
  expect(addressOf(config)).toEqual(assumed);
});
