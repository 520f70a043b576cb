/**
 * Composing reports, one at a time per account and a few in all, and keeping their files until clients have received
 * them.
 */
import { join } from "node:path";
import { Places } from "../../../lib/fair/slots.ts";
import type { Content } from "../../../lib/files/spool.ts";
import { bounded, spoolFor } from "../../../lib/files/spool.ts";
import { invalid, limited, unavailable } from "../../../lib/problem.ts";

const mostMade = 4;
/** The maximum of files that are being composed or sent. */
const mostFiles = { all: 32, own: 4 };
/** The maximum size of one file, in octets. */
const mostOctets = 256 * 1024 * 1024;
/** Seconds after which a client may try again. */
const retryAfter = 5;

export class Reports {
  readonly #directory: string;
  readonly #files = new Places(mostFiles, "too many reports are being sent");
  /** The accounts whose reports are being composed. */
  readonly #making = new Set<string>();

  readonly #most: number;

  constructor(directory: string, most = mostOctets) {
    this.#directory = join(directory, "reports");
    this.#most = most;
  }

  /**
   * Throws `limited` or `unavailable` if no slot is free, and `invalid` if the report is too large. The file occupies a
   * slot until it is closed.
   */
  async write(account_id: string, pieces: () => AsyncIterable<Uint8Array>): Promise<Content> {
    if (this.#making.has(account_id)) {
      throw limited("another report of this account is being created: one at a time", { retry_after: retryAfter });
    }
    if (this.#making.size >= mostMade) throw unavailable("too many reports are being created");
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
  invalid(`limit: the report would exceed ${megabytes} MB: request fewer entries`, { field: "limit", megabytes });
