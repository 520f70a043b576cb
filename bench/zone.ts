/** The zone of benchmarks that fill an image themselves. */
import type { ImageZone } from "../src/answer/image/source.ts";

export const apex = "example.com";

export const zone: ImageZone = {
  id: "zone",
  zone: apex,
  view: "",
  ttl: 3600,
  refresh: 43200,
  retry: 7200,
  expiry: 1209600,
  nx_ttl: 3600,
  hostmaster: `hostmaster@${apex}`,
  primary_master: `ns1.${apex}`,
  disabled: false,
};

/** Owner names of one length, so that their number changes nothing else. */
export const host = (i: number) => `h${String(i).padStart(7, "0")}.${apex}`;
