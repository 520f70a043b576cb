/** An exported file on disk: whether it is one, and its reader. */
import { accessSync, constants, createReadStream, existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { invalid } from "../../lib/problem.ts";
import { ContainerReader, notOurs } from "./container.ts";
import { checkHeader } from "./header.ts";

/** Throws a Problem when the file is not an export, or this version cannot read it. */
export async function assertExport(file: string, version: string): Promise<void> {
  assertReadable(file);
  await assertZipped(file);
  const { reader, close } = opened(file);
  try {
    checkHeader(await reader.line(), version);
  } finally {
    close();
  }
}

export function opened(file: string): { reader: ContainerReader; close(): void } {
  const gunzip = createGunzip();
  const zipped = createReadStream(file).on("error", (error) => gunzip.destroy(error));
  return { reader: new ContainerReader(zipped.pipe(gunzip)), close: () => zipped.destroy() };
}

function assertReadable(file: string): void {
  if (!existsSync(file)) throw invalid(`${file}: no such file`);
  if (statSync(file).isDirectory()) throw invalid(`${file}: is a directory`);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw invalid(`${file}: cannot be read: permission denied`);
  }
}

/** Throws unless the file starts with the octets of gzip (RFC 1952, section 2.3.1). */
async function assertZipped(file: string): Promise<void> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, null);
    if (bytesRead < 2 || buffer.readUInt16BE() !== 0x1f8b) throw invalid(notOurs);
  } finally {
    await handle.close();
  }
}
