/** Answers address queries at an ALIAS record with the addresses of its target, from the zones of this image. */
import type { NameKey } from "../image/memory/key.ts";
import { recordRdata, rrsetOverridesTtl, rrsetSteered } from "../image/memory/layout.ts";
import { ttlOf } from "../image/rrset/view.ts";
import { lookup } from "../lookup/lookup.ts";
import { applyFilters } from "./apply-filters.ts";
import { substitute } from "./cname-chain.ts";
import { Section } from "./message.ts";
import { mostHops, type Workspace } from "./workspace.ts";

/** `servfail`: the target is not in our zones, or not reached within `mostHops` CNAMEs and DNAMEs. */
export type Outcome = "answered" | "nodata" | "servfail";

/** The ALIAS record is in `space.found.rrset`, and its owner name is `name`. */
export function answerAlias(space: Workspace, qtype: number, name: NameKey): Outcome {
  const { image, message, host, hostFound } = space;
  const alias = space.found.rrset;
  const { rrset } = hostFound;
  const ownTtl = ttlOf(alias);
  let ttl = ownTtl;
  host.load(alias.octets, alias.at + recordRdata);
  for (let hop = 0; hop < mostHops; hop++) {
    let state = lookup(image, host, qtype, hostFound);
    if ((rrset.flags & rrsetSteered) !== 0) state = applyFilters(space, hostFound, state, host);
    if (state === "nodata" || state === "nxdomain") return "nodata";
    if (state === "refused" || state === "expired" || state === "shut" || state === "delegation") return "servfail";
    ttl = Math.min(ttl, ttlOf(rrset));
    if (state === "answer") {
      const shown = (alias.flags & rrsetOverridesTtl) === 0 ? ttl : ownTtl;
      if (!message.add(Section.answer, rrset, name, 0, shown)) message.truncated = true;
      return "answered";
    }
    if (state === "dname") {
      const made = space.substituted[0]!;
      if (!substitute(host, hostFound.label, rrset, made)) return "servfail";
      host.load(made, 0);
    } else {
      host.load(rrset.octets, rrset.at + recordRdata);
    }
  }
  return "servfail";
}
