/** The disk of a machine: a small file system of its own if root runs this, otherwise a directory, which cannot be filled. */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { output } from "../machine/processes.ts";

const megabytes = 1024;

export class Disk implements AsyncDisposable {
  readonly directory: string;
  readonly isOwn: boolean;

  private constructor(directory: string, isOwn: boolean) {
    this.directory = directory;
    this.isOwn = isOwn;
  }

  static async make(directory: string): Promise<Disk> {
    mkdirSync(directory);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await output("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "none", directory]);
    return new Disk(directory, isRoot);
  }

  /** Writes until nothing fits any more. */
  fill(): void {
    if (!this.isOwn) throw new Error("only root can fill this disk");
    const file = openSync(this.#filler, "w");
    for (let size = 1 << 20; size >= 4096; ) {
      try {
        writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        size >>= 1;
      }
    }
    closeSync(file);
  }

  /** Removes what `fill` has written. */
  free(): void {
    rmSync(this.#filler, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isOwn) await output("umount", ["--lazy", this.directory]);
  }

  get #filler(): string {
    return join(this.directory, "filler");
  }
}
