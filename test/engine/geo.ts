/** Geo files on disk for a test, and questions about addresses as text. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { scanAddress } from "../../src/geo/facts/address.ts";
import { loadGeo } from "../../src/geo/files/load.ts";
import { Geo } from "../../src/geo/geo.ts";
import type { ClientFacts } from "../../src/lib/facts.ts";

/** Writes files by name into a directory that is removed with the test; returns their paths in order. */
export function geoFiles(files: Readonly<Record<string, string | Uint8Array>>): string[] {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-geo-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return Object.entries(files).map(([name, content]) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  });
}

export const geoOf = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<Geo> =>
  new Geo(await loadGeo(geoFiles(files)));

/** The facts of an address. An IPv4-mapped address is looked up with its 16 octets. */
export function ask(geo: Geo, address: string): ClientFacts {
  const octets = scanAddress(address)!;
  if (!address.includes(":") || octets.length === 16) return geo.find(octets, 0, octets.length === 4 ? 4 : 16);
  return geo.find(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...octets]), 0, 16);
}

/** The facts that are known, without lengths. */
export function known(geo: Geo, address: string): Partial<ClientFacts> {
  const { lengths, ...facts } = ask(geo, address);
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}
