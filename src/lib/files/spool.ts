/** A file on its way from or to a client, kept on the disk meanwhile: without a name, so that nothing is left of it afterwards. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { LongWork } from "../fair/yield.ts";
import { newId } from "../ids.ts";
import { Problem } from "../problem.ts";

export interface Spool {
  readonly fd: number;
  readonly octets: number;
  /** From its beginning. */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Throws what `pieces` throws; then nothing is kept. */
export async function spool(directory: string, pieces: AsyncIterable<Uint8Array>): Promise<Spool> {
  const handle = await openNameless(directory);
  try {
    let octets = 0;
    for await (const piece of pieces) {
      await handle.writeFile(piece);
      octets += piece.length;
    }
    return {
      fd: handle.fd,
      octets,
      read: () => handle.createReadStream({ start: 0, autoClose: false }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw isFull(error) ? new Problem("unavailable", "the disk is full", undefined, 507) : error;
  }
}

/** A body that is too large to be held: ready, and sent piece by piece. */
export interface Content {
  readonly octets: number;
  readonly etag: string;
  read(): AsyncIterable<Uint8Array>;
  /** In any case, when it has been sent or is not to be sent. */
  close(): Promise<void>;
}

/** A file for a client: made whole first, so that the store is not kept waiting by a client that takes its time. */
export async function spoolFor(directory: string, pieces: AsyncIterable<Uint8Array>): Promise<Content> {
  const hash = createHash("sha1");
  const hashed = async function* () {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  };
  const { octets, read, close } = await spool(directory, hashed());
  return { octets, etag: `"${hash.digest("hex")}"`, read, close };
}

/** The same pieces, up to so many octets; throws `tooLarge` when there are more. */
export async function* bounded(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
  tooLarge: (megabytes: number) => Problem,
): AsyncGenerator<Uint8Array> {
  let octets = 0;
  for await (const piece of pieces) {
    octets += piece.length;
    if (octets > most) throw tooLarge(Math.round(most / 1024 / 1024));
    yield piece;
  }
}

/** Octets of text that are written at once, about. */
const pieceOctets = 64 * 1024;

/** Text in pieces for a spool; others go first in between. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const work = new LongWork();
  let waiting = "";
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < pieceOctets) continue;
    yield Buffer.from(waiting);
    waiting = "";
    await work.giveWay();
  }
  yield Buffer.from(waiting);
}

async function openNameless(directory: string): Promise<FileHandle> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, newId());
  const handle = await open(path, "wx+", 0o600);
  await unlink(path);
  return handle;
}

const isFull = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOSPC";
