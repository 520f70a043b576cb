/** Prefetching changes no answer, for any batch and any part of it that is prefetched. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { queryOf, TestImage } from "../../../test/scenarios/image.ts";
import { createServe } from "../../edge/serve/serve.ts";
import { Prefetch } from "./prefetch.ts";

const headerOctets = 12;
const stride = 512;
const most = 70;
const client = { family: 4, address: Uint8Array.of(192, 0, 2, 99), port: 4096 } as const;

const image = new TestImage()
  .put("example.com", [
    "@ 300 NS ns1.example.com.",
    "ns1 300 A 192.0.2.1",
    "www 60 A 192.0.2.2",
    "*.wild 60 CNAME www",
    "tree 60 DNAME wild",
    "a.b.c 60 TXT deep",
    "sub 60 NS ns.sub",
    "sub 60 DS 1 13 2 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    "ns.sub 60 A 192.0.2.3",
    "far 60 CNAME www.example.org.",
  ])
  .put("sub.example.com", ["@ 300 NS ns", "ns 60 A 192.0.2.4", "x 60 A 192.0.2.5"])
  .put("example.org", ["www 60 A 192.0.2.6"]);
const { reader } = image;
const prefetch = new Prefetch(reader);
const plain = createServe(reader, { onFault: (error) => image.faults.push(error) });
const prefetching = createServe(reader, { onFault: (error) => image.faults.push(error), prefetch });

const names = ["@", "ns1", "www", "WwW", "x.wild", "y.tree", "b.c", "a.b.c", "sub", "x.sub", "no", "far", "ns.sub"];
const owner = (name: string) => (name === "@" ? "example.com." : `${name}.example.com.`);
const sound = fc
  .tuple(
    fc.constantFrom(...names.map(owner), "www.example.org.", "example.net.", "."),
    fc.constantFrom("A", "TXT", "NS", "DS", "ANY"),
  )
  .map(([name, type]) => queryOf({ name, type, edns: 1232 }));
const cut = fc.tuple(sound, fc.nat(60)).map(([octets, length]) => octets.slice(0, length));
const packets = fc.array(
  fc.tuple(fc.oneof(sound, sound, cut, fc.uint8Array({ maxLength: 80 })), fc.boolean(), fc.boolean()),
  { minLength: 1, maxLength: most },
);

/** One buffer for all batches, as a listener has. */
const buffer = new Uint8Array(most * stride);
const out = new Uint8Array(4096);

test("queries of a batch are answered the same with and without prefetching", () => {
  fc.assert(
    fc.property(packets, fc.nat(255), (batch, octet) => {
      image.put("example.com", [`www 60 A 192.0.2.${octet}`]);
      reader.enter();
      prefetch.begin();
      batch.forEach(([packet, isAdded], slot) => {
        const from = slot * stride;
        buffer.set(packet, from);
        if (isAdded) prefetch.add(buffer, from + headerOctets, from + packet.length);
      });
      batch.forEach(([packet, , isAsked], slot) => {
        if (!isAsked) return;
        const from = slot * stride;
        const answerOf = (serve: typeof plain) =>
          out.slice(0, serve(buffer, from, from + packet.length, client, "udp", out, 0, out.length));
        const expected = answerOf(plain);
        expect(answerOf(prefetching)).toEqual(expected);
      });
      reader.leave();
    }),
    { numRuns: 400 },
  );
  expect(image.faults).toEqual([]);
});

test("a prefetched name is taken once, and only in its batch", () => {
  const packet = queryOf({ name: "www.example.com.", type: "A" });
  reader.enter();
  prefetch.begin();
  prefetch.add(packet, headerOctets, packet.length);
  expect(prefetch.take(packet.slice(), headerOctets)).toBeUndefined();
  expect(prefetch.take(packet, headerOctets)).toMatchObject({ labels: 3, source: packet });
  expect(prefetch.take(packet, headerOctets)).toBeUndefined();
  prefetch.add(packet, headerOctets, packet.length);
  prefetch.begin();
  expect(prefetch.take(packet, headerOctets)).toBeUndefined();
  reader.leave();
});
