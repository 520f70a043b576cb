/**
 * Composes reports, one at a time per account and a few in all, and keeps their files until clients have received
 * them.
 */
import { join } from "node:path";
import { Slots } from "../../lib/fair/slots.ts";
import { bounded, type Content, occupying, spoolFor } from "../../lib/files/spool.ts";
import { invalid, limited, unavailable } from "../../lib/problem.ts";
import { limits } from "./limits.ts";

/** The maximum number of reports that are being written. */
export const mostMade = 4;
/** The maximum number of files that are being written or sent. */
export const mostFiles = { all: 32, own: limits.reports };
/** The maximum size of one file, in octets. */
export const mostOctets = 256 * 1024 * 1024;
/** Seconds after which a client may try again. */
const retryAfter = 5;

/** What handlers find in their context. */
export interface ReportServices {
  readonly reports: Reports;
}

export class Reports {
  readonly #directory: string;
  readonly #files = new Slots(mostFiles);
  readonly #written = new Slots({ all: mostMade, own: 1 });
  readonly #most: number;

  constructor(directory: string, most = mostOctets) {
    this.#directory = join(directory, "reports");
    this.#most = most;
  }

  /**
   * Throws `limited` or `unavailable` if no slot is free, and `invalid` if the report is too large. The file occupies a
   * slot until it is closed. `field` is the parameter that makes a report smaller.
   */
  async write(account_id: string, pieces: () => AsyncIterable<Uint8Array>, field = "limit"): Promise<Content> {
    const written = this.#written.take(account_id);
    if (!written && this.#written.holds(account_id)) {
      throw limited("another report of this account is being created: one at a time", { retry_after: retryAfter });
    }
    if (!written) throw unavailable("too many reports are being created");
    try {
      const slot = this.#files.take(account_id);
      if (!slot) throw unavailable("too many reports are being sent");
      return await occupying(slot, () => spoolFor(this.#directory, bounded(pieces(), this.#most, tooLarge(field))));
    } finally {
      written.leave();
    }
  }
}

const tooLarge = (field: string) => (megabytes: number) =>
  invalid(`${field}: the report would exceed ${megabytes} MB: request fewer entries`, { field, megabytes });
