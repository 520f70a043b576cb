/** Records of a zone file that no query reaches: below a DNAME, or below a delegation whose glue they are not. */
import { isSubdomain, nameFromApi } from "../../dns/name.ts";
import { types } from "../../dns/types.ts";
import type { Fault } from "../../dns/zonefile/entries.ts";
import type { FileRrset } from "./contents.ts";

const glue: ReadonlySet<unknown> = new Set([types.A, types.AAAA]);

/** RFC 6672 section 2.4, RFC 1034 section 4.2.1. One warning for each RRset. */
export function occludedIn(zone: string, rrsets: Iterable<FileRrset>): Fault[] {
  const all = [...rrsets];
  const covers = new Map<string, FileRrset>();
  for (const rrset of all) {
    const isCut = rrset.type === types.NS && rrset.domain !== zone;
    if (isCut || rrset.type === types.DNAME) covers.set(rrset.domain, rrset);
  }
  if (covers.size === 0) return [];
  return all.flatMap(({ line, domain, type }) => {
    const cover = coverOf(domain, covers);
    if (!cover || (cover.type === types.NS && glue.has(type))) return [];
    const message = `${domain} ${type.name} is below the ${cover.type.name} record at ${cover.domain}: no query reaches it`;
    return [{ line, message }];
  });
}

/** The highest one above the name. */
function coverOf(domain: string, covers: ReadonlyMap<string, FileRrset>): FileRrset | undefined {
  for (let dot = domain.lastIndexOf("."); dot > 0; dot = domain.lastIndexOf(".", dot - 1)) {
    const cover = covers.get(domain.slice(dot + 1));
    // the dot may be escaped and then divides no labels
    if (cover && isSubdomain(nameFromApi(domain), nameFromApi(cover.domain))) return cover;
  }
  return undefined;
}
