/** A file on its way from or to a client, kept on the disk meanwhile: without a name, so that nothing is left of it afterwards. */
import { mkdirSync } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../lib/ids.ts";
import { Problem } from "../../lib/problem.ts";

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

async function openNameless(directory: string): Promise<FileHandle> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, newId());
  const handle = await open(path, "wx+", 0o600);
  await unlink(path);
  return handle;
}

const isFull = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOSPC";
