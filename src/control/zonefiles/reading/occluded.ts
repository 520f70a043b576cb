/** Finds records of a zone file that no query reaches: below a DNAME record, or below a delegation and not its glue. */

import { types } from "../../../dns/types.ts";
import { TypeCode } from "../../../dns/wire/constants.ts";
import { type Name, nameToApi } from "../../../dns/wire/name.ts";
import type { Fault } from "../../../dns/zonefile/entries.ts";
import { hasType, type OwnerTypes } from "../loading/owners.ts";
import type { PlainRrset } from "../loading/slices.ts";

type Placed = Pick<PlainRrset, "owner" | "domain" | "type"> & { readonly line: number };

const glue: ReadonlySet<unknown> = new Set([types.A, types.AAAA]);
/** RRsets that are checked at the end of the file; further RRsets are checked only against the lines before them. */
const mostDeep = 100_000;

export class Occluded {
  readonly #apex: Name;
  readonly #owners: OwnerTypes;
  /** RRsets that have names between them and the apex. */
  readonly #deep: Placed[] = [];
  #covers = false;

  constructor(apex: Name, owners: OwnerTypes) {
    this.#apex = apex;
    this.#owners = owners;
  }

  /** Returns a warning if it is already certain. A name directly below the apex can only be below the apex's DNAME. */
  add({ line, owner, domain, type }: Placed): Fault | undefined {
    if (type === types.NS || type === types.DNAME) this.#covers = true;
    const rrset = { line, owner, domain, type };
    const below = owner.length - this.#apex.length;
    const isDeep = below > 1 + owner[0]!;
    if (!isDeep || this.#deep.length === mostDeep) {
      return below > 0 && this.#covers ? this.#faultOf(rrset) : undefined;
    }
    this.#deep.push(rrset);
    return undefined;
  }

  /** Returns the remaining warnings at the end of the file. */
  *rest(): Generator<Fault> {
    if (!this.#covers) return;
    for (const rrset of this.#deep) {
      const fault = this.#faultOf(rrset);
      if (fault) yield fault;
    }
  }

  /** RFC 6672 section 2.4, RFC 1034 section 4.2.1. */
  #faultOf({ line, owner, domain, type }: Placed): Fault | undefined {
    const cover = this.#coverOf(owner);
    if (!cover || (cover.type === "NS" && glue.has(type))) return undefined;
    const { type: by, name } = cover;
    const message = `${domain} ${type.name} is below the ${by} record at ${nameToApi(name)}: no query reaches it`;
    return { line, message };
  }

  /** Returns the highest DNAME or delegation above the name. */
  #coverOf(owner: Name): { readonly type: string; readonly name: Name } | undefined {
    let found: { type: string; name: Name } | undefined;
    for (let at = 1 + owner[0]!; owner.length - at >= this.#apex.length; at += 1 + owner[at]!) {
      const name = owner.subarray(at);
      const seen = this.#owners.of(name);
      if (hasType(seen, TypeCode.DNAME)) found = { type: "DNAME", name };
      else if (hasType(seen, TypeCode.NS)) found = { type: "NS", name };
    }
    return found;
  }
}
