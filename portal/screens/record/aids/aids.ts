/** The aids of each record type that has some. */
import type { Aid } from "./aid.ts";
import { caa } from "./caa.ts";
import { dkim, dmarc, spf } from "./mail.ts";
import { svcb } from "./svcb.ts";
import { tlsa } from "./tlsa.ts";

const aids: { readonly [type: string]: readonly Aid[] } = {
  TXT: [spf, dmarc, dkim],
  CAA: [caa],
  TLSA: [tlsa],
  SVCB: [svcb],
  HTTPS: [svcb],
};

export const aidsOf = (type: string): readonly Aid[] => aids[type] ?? [];
