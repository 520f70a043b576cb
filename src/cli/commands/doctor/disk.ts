/** The free space of the data directory's file system. */
import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../../../config/config.ts";
import { type Finding, findingsOf } from "../../terminal/finding.ts";

const { ok, warning, failed } = findingsOf("disk");

const mebibyte = 2 ** 20;
/** Less than this leaves no room for the store's next piece of log, 16 MiB, and a snapshot. */
const needed = 256 * mebibyte;
const comfortable = 2048 * mebibyte;
const leastInodes = 1000;

export function checkDisk({ data }: Pick<Config, "data">): Finding[] {
  const path = nearest(data);
  const { bavail, blocks, bsize, ffree, files } = statfsSync(path);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const text = `${print(free)} of ${print(all)} are free for ${data}`;
  const advice = "make room, or move the data directory to a larger disk while the service is stopped";
  // file systems without a fixed number of inodes show none
  if (files > 0 && ffree < leastInodes) return [failed(`${data} has room for only ${ffree} more files`, advice)];
  if (free < needed) return [failed(`${text}: writes are refused soon`, advice)];
  return [free < comfortable ? warning(text, advice) : ok(text)];
}

/** The path, or the directory above it in which it would be made. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

const print = (octets: number) =>
  octets < 10_240 * mebibyte ? `${Math.floor(octets / mebibyte)} MiB` : `${Math.floor(octets / mebibyte / 1024)} GiB`;
