/** Temporary files for uploads and downloads, without a name, so that the system removes them when they are closed. */
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
  /** Reads from the start. */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Writes `pieces` to a temporary file. If `pieces` throws, the file is removed and the error is thrown. */
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

/** A complete body that is too large for memory; it is sent piece by piece. */
export interface Content {
  readonly octets: number;
  readonly etag: string;
  read(): AsyncIterable<Uint8Array>;
  /** Must always be called, whether the body was sent or not. */
  close(): Promise<void>;
}

/** Makes a file for a client. It is completed first, so that a slow client does not keep the store waiting. */
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

/** Returns the file that `write` makes. The file holds the slot until it is closed. */
export async function occupying<File extends { close(): Promise<void> }>(
  slot: { leave(): void },
  write: () => Promise<File>,
): Promise<File> {
  try {
    const file = await write();
    return { ...file, close: () => file.close().finally(() => slot.leave()) };
  } catch (error) {
    slot.leave();
    throw error;
  }
}

/** Yields the pieces; throws `tooLarge` after more than `most` octets. */
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

/** The approximate octets of text per write. */
const pieceOctets = 64 * 1024;

/** Joins texts into pieces for a spool, and lets other work run between the pieces. */
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
