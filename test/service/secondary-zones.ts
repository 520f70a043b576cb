/** Creates and reads zones that are transferred from scripted primaries. */
import { expect, vi } from "vitest";
import { TypeCode } from "../../src/dns/wire/constants.ts";
import { answerTo, record, type Script, scriptedPrimary, soa } from "../network/scripted-primary.ts";
import type { Api, Fields } from "./api.ts";

export const patience = { timeout: 60_000, interval: 50 };
/** Patience for polls that each request a refresh. */
export const slowly = { ...patience, interval: 500 };

export const www = (fqdn: string) => record(`www.${fqdn} 300 A 192.0.2.1`);

/** The type that a query asks for. */
function typeOf(query: Uint8Array): number {
  let at = 12;
  while (query[at] !== 0) at += 1 + query[at]!;
  return (query[at + 1]! << 8) | query[at + 2]!;
}

export const isIxfr = (query: Uint8Array) => typeOf(query) === TypeCode.IXFR;

export function secondaryZones(api: Api) {
  let count = 0;
  const secondaryOf = async (zone: string) => (await api.must<{ secondary: Fields }>("GET", `zones/${zone}`)).secondary;
  const names = async (zone: string) =>
    (await api.must<{ records: Fields[] }>("GET", `zones/${zone}`)).records.map(
      ({ domain, type }) => `${domain} ${type}`,
    );
  const newName = () => `z${++count}.example`;
  /** Creates a zone; repeats the request after a refusal by a busy store, which may have created it. */
  const make = async (zone: string, secondary: Fields) => {
    const put = async () => {
      const { status, body } = await api.call("PUT", `zones/${zone}`, { secondary });
      return status === 200 ? "made" : body["message"];
    };
    // concurrent tests cannot use `expect.poll`
    await vi.waitFor(async () => expect(await put()).toMatch(/^made$|already exists/), slowly);
  };
  return {
    make,
    secondaryOf,
    names,
    newName,
    /** Returns a function for polls: it requests a refresh, and reads the state of the zone. */
    refreshing:
      <T>(zone: string, read: () => Promise<T>) =>
      async () => {
        await api.call("POST", `zones/${zone}?refresh=true`);
        return await read();
      },
    /** Creates a zone and transfers its first version; then its primary has another serial, and follows the script. */
    async transferredZone(script: (zone: string) => Partial<Script>, rest: Fields = {}) {
      const zone = newName();
      const fqdn = `${zone}.`;
      const first = [soa(fqdn, 10), record(`${fqdn} 300 NS ns.${fqdn}`), soa(fqdn, 10)];
      const primary = await scriptedPrimary({ soa: soa(fqdn, 10), transfer: (query) => [answerTo(query, first)] });
      const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port, ...rest };
      await make(zone, secondary);
      await vi.waitFor(async () => expect((await secondaryOf(zone))["status"]).toBe("ok"), patience);
      Object.assign(primary.script, { soa: soa(fqdn, 11), ...script(fqdn) });
      return { zone, fqdn, primary };
    },
  };
}
