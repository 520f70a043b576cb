/** PNG files in fewer octets: browsers compress them quickly, not well. */
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** The eight octets with which a PNG begins. */
const signature = 8;

/** The same picture, compressed as far as the format allows. */
export function smallPng(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const pixels = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const [first, ...others] = chunks.filter(({ type }) => type !== "IDAT");
  const image = { type: "IDAT", data: deflateSync(pixels, { level: 9, memLevel: 9 }) };
  const last = others.pop();
  const all = [first!, ...others, image, last!];
  return Buffer.concat([png.subarray(0, signature), ...all.map(chunkOf)]);
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data });
    at += 12 + length;
  }
  return chunks;
}

function chunkOf({ type, data }: Chunk): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
