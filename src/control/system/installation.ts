/** The facts about this installation that do not come from the store. */
import { statfs } from "node:fs/promises";

/** A key of the configuration, as this process was started with it. */
export interface Setting {
  /** The name in the file. */
  readonly key: string;
  readonly flag: string;
  readonly variable: string;
  readonly source: "default" | "file" | "environment" | "flag";
  /** The given texts: several for a list, none for a default and for every secret. */
  readonly values: readonly string[];
  readonly secret: boolean;
  /** In words. */
  readonly default: string;
  readonly desc: string;
  /** The only command besides `serve` that reads it. */
  readonly role: "serve" | "control" | "edge" | null;
  /** Whether a reload applies a change. */
  readonly reloads: boolean;
}

export interface Installation {
  /** The name of this process in leases. */
  readonly holder: string;
  readonly isStoreEmbedded: boolean;
  readonly directory: string;
  readonly configuration: readonly Setting[];
}

export interface SystemServices {
  readonly installation: Installation;
}

/** The room on the file system of a directory, in octets. */
export async function diskOf(directory: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, size: blocks * bsize };
}
