/** Mutants: each is patched into a copy of the sources, and a short run of the differential test must detect it. */
import type { Mutant } from "../machine/patched.ts";
import { testMutants } from "./mutants.ts";

const lookup = "src/answer/lookup/lookup.ts";
const answer = "src/answer/reply/answer.ts";

const mutants: readonly Mutant[] = [
  {
    what: "an empty non-terminal does not exist",
    file: lookup,
    from: `return isAlias && findAsAddress(image, node, found) ? "alias" : "nodata";`,
    to: `return image.rrsets(node) === 0 ? "nxdomain" : "nodata";`,
  },
  {
    what: "a wildcard is not expanded",
    file: lookup,
    from: `if (!image.has(found.node, flagWildcardBelow)) return "nxdomain";`,
    to: `return "nxdomain";`,
  },
  {
    what: "only the owner of a cut is delegated, not what lies below it",
    file: lookup,
    from: "image.has(node, flagCut) && !(label === 0 && qtype === TypeCode.DS);",
    to: "image.has(node, flagCut) && label === 0 && qtype !== TypeCode.DS;",
  },
  {
    what: "DS at a cut is asked of the child",
    file: lookup,
    from: "!(label === 0 && qtype === TypeCode.DS)",
    to: "true",
  },
  {
    what: "a name that a cut hides is answered",
    file: lookup,
    from: "if (!image.hasCuts(data)) {",
    to: "if (data !== 0) {",
  },
  {
    what: "ANY never shows an RRset",
    file: lookup,
    from: "for (let i = 0; i < count; i++) if (show",
    to: "for (let i = 0; i < 0; i++) if (show",
  },
  {
    what: "the CNAME that a DNAME makes has the TTL 0",
    file: "src/answer/reply/cname-chain.ts",
    from: "message.addCname(name, ttlOf(found.rrset), next)",
    to: "message.addCname(name, 0, next)",
  },
  {
    what: "one letter is not folded to lower case",
    file: "src/answer/image/memory/key.ts",
    from: "if (octet >= 65 && octet <= 90) octet |= 32",
    to: "if (octet >= 65 && octet < 90) octet |= 32",
  },
  {
    what: "a TTL above an hour is cut",
    file: "src/answer/image/rrset/rrset.ts",
    from: "view.setUint32(at + recordTtl, ttl);",
    to: "view.setUint32(at + recordTtl, Math.min(ttl, 3600));",
  },
  {
    what: "a denial lives as long as the SOA, whatever its minimum says",
    file: "src/answer/reply/authority.ts",
    from: "const ttl = Math.min(ttlOf(rrset), ",
    to: "const ttl = Math.max(ttlOf(rrset), ",
  },
  {
    what: "a chain of CNAMEs is followed for two hops",
    file: "src/answer/reply/workspace.ts",
    from: "export const mostHops = 16;",
    to: "export const mostHops = 3;",
  },
  {
    what: "a chain that leads to nothing ends with NOERROR",
    file: answer,
    from: "message.rcode = Rcode.NXDOMAIN;",
    to: "if (hops === 0) message.rcode = Rcode.NXDOMAIN;",
  },
  {
    what: "a referral is authoritative",
    file: answer,
    from: ` && state !== "delegation";`,
    to: ";",
  },
];

testMutants("the differential test", "test/interop/differential/run.ts", mutants);
