/** A worker copies some queries for watched zones. */
import { expect, test } from "vitest";
import { zoneOf } from "../../../test/scenarios/image.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { composeQuery } from "../../dns/reply.ts";
import { TypeCode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { sharedMemory } from "../../net/socket/pages.ts";
import { Watched } from "./watched.ts";

const writer = ImageWriter.create({ seed: [0x9e3779b1, 0x85ebca6b], makeMemory: sharedMemory });
for (const zone of ["a.example", "b.example"]) writer.putZone({ ...zoneOf(zone), id: zone }, 1);
writer.commit();
const image = new ImageReader(writer.share(), 0);

/** The number of a zone in the image. */
function numberOf(zone: string): number {
  const key = image.key();
  key.load(nameFromApi(zone), 0);
  return image.numberOf(image.findZone(0, key, 0));
}

const query = composeQuery(nameFromApi("WWW.a.example"), TypeCode.MX, 1232);
const asked = (address: readonly number[]) => () => ({
  ...{ query, from: 0, qtype: TypeCode.MX, rcode: 3, transport: "tls" as const },
  address: Uint8Array.from(address),
  facts: { country: "DE", asn: undefined },
});

function begun(zones: readonly string[], showsAddresses = false): Watched {
  const watched = new Watched(showsAddresses);
  watched.set(zones);
  image.enter();
  watched.begin(image, 1000);
  image.leave();
  return watched;
}

test("a query for a watched zone is copied with the client's network, others are not", () => {
  const watched = begun(["a.example", "gone.example", "www.b.example"]);
  expect(watched.copy(numberOf("a.example"), 1000, asked([192, 0, 2, 77]))).toEqual({
    ...{ zone: "a.example", at: 1000, name: "www.a.example", type: "MX", rcode: "NXDOMAIN", transport: "tls" },
    ...{ client: "192.0.2.0/24", country: "DE", asn: null },
  });
  const v6 = asked([0x20, 1, 0xd, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(watched.copy(numberOf("a.example"), 1000, v6)?.client).toBe("2001:db8:102:300::/56");
  expect(watched.copy(numberOf("b.example"), 1000, asked([192, 0, 2, 1]))).toBeUndefined();
});

test("the operator can let accounts see addresses", () => {
  const watched = begun(["a.example"], true);
  expect(watched.copy(numberOf("a.example"), 1000, asked([192, 0, 2, 77]))?.client).toBe("192.0.2.77");
});

test("of a busy zone 20 queries a second are copied, and another zone has its own share", () => {
  const watched = begun(["a.example", "b.example"]);
  const copies = (zone: string, count: number) =>
    Array.from({ length: count }, () => watched.copy(numberOf(zone), 1000, asked([192, 0, 2, 1]))).filter(Boolean);
  expect(copies("a.example", 1000)).toHaveLength(20);
  expect(copies("b.example", 1)).toHaveLength(1);
  image.enter();
  watched.begin(image, 1999);
  expect(copies("a.example", 1)).toHaveLength(0);
  watched.begin(image, 2000);
  image.leave();
  expect(copies("a.example", 1)).toHaveLength(1);
});

test("when nobody watches, nothing is copied", () => {
  const watched = begun(["a.example"]);
  watched.set([]);
  expect(watched.copy(numberOf("a.example"), 1000, asked([192, 0, 2, 1]))).toBeUndefined();
});
