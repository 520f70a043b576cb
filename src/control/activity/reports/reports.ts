/** Reports that are made, one at a time of an account and a few of all, and those that lie until their clients have them. */
import { join } from "node:path";
import { Places } from "../../../lib/fair/slots.ts";
import type { Content } from "../../../lib/files/spool.ts";
import { bounded, spoolFor } from "../../../lib/files/spool.ts";
import { invalid, limited, unavailable } from "../../../lib/problem.ts";
import { limits } from "../../kit/limits.ts";

export const mostMade = 4;
/** Made or being sent. */
const mostFiles = { all: 32, own: limits.reports };
/** Octets of one file. */
export const mostOctets = 256 * 1024 * 1024;
/** Seconds after which a client may ask again. */
const retryAfter = 5;

export class Reports {
  readonly #directory: string;
  readonly #files = new Places(mostFiles, "too many reports are being sent");
  /** Accounts for which one is made. */
  readonly #making = new Set<string>();

  readonly #most: number;

  constructor(directory: string, most = mostOctets) {
    this.#directory = join(directory, "reports");
    this.#most = most;
  }

  /** Throws `limited` or `unavailable` when there is no place, `invalid` when it is too large. The file has one until it is closed. */
  async write(account_id: string, pieces: () => AsyncIterable<Uint8Array>): Promise<Content> {
    if (this.#making.has(account_id)) {
      throw limited("a report of this account is being made: one at a time", { retry_after: retryAfter });
    }
    if (this.#making.size >= mostMade) throw unavailable("too many reports are being made");
    const leave = this.#files.enter(account_id);
    this.#making.add(account_id);
    try {
      const file = await spoolFor(this.#directory, bounded(pieces(), this.#most, tooLarge));
      return { ...file, close: () => file.close().finally(leave) };
    } catch (error) {
      leave();
      throw error;
    } finally {
      this.#making.delete(account_id);
    }
  }
}

const tooLarge = (megabytes: number) =>
  invalid(`limit: the report has more than ${megabytes} MB: ask for fewer entries`, { field: "limit", megabytes });
