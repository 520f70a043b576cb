/** The records of the demo, which show filters and feeds. Addresses are those for documentation (RFC 5737). */

/** Labels of the feeds. */
export const labels = ["east", "west"] as const;

/** Feed ids by label. */
export type DemoFeeds = Readonly<Record<(typeof labels)[number], string>>;

const ttl = 10;
const one = { filter: "select_first_n", config: { N: 1 } };
const address = (last: number, meta: Record<string, unknown> = {}) => ({ answer: [`203.0.113.${last}`], meta });

export const demoRecords = (zone: string, { east, west }: DemoFeeds) => [
  {
    ...{ domain: `www.${zone}`, type: "A", ttl },
    answers: [
      { ...address(51, { up: { feed: east } }), region: "east" },
      { ...address(52, { up: { feed: west } }), region: "west" },
    ],
    regions: {
      east: { meta: { georegion: ["EUROPE", "AFRICA", "ASIAPAC"] } },
      west: { meta: { georegion: ["US-EAST", "US-CENTRAL", "US-WEST", "SOUTH-AMERICA"] } },
    },
    filters: [{ filter: "up", config: {} }, { filter: "geotarget_regional", config: {} }, one],
  },
  {
    ...{ domain: `failover.${zone}`, type: "A", ttl },
    answers: [address(1, { up: { feed: east }, priority: 1 }), address(2, { up: { feed: west }, priority: 2 })],
    filters: [{ filter: "up", config: {} }, { filter: "priority", config: { eliminate: true } }, one],
  },
  {
    ...{ domain: `geo.${zone}`, type: "A", ttl },
    answers: [
      { ...address(11), region: "europe" },
      { ...address(12), region: "america" },
      { ...address(13), region: "asia" },
    ],
    regions: {
      europe: { meta: { georegion: ["EUROPE", "AFRICA"] } },
      america: { meta: { georegion: ["US-EAST", "US-CENTRAL", "US-WEST", "SOUTH-AMERICA"] } },
      asia: { meta: { georegion: ["ASIAPAC"] } },
    },
    filters: [{ filter: "geotarget_regional", config: {} }, one],
  },
  {
    ...{ domain: `network.${zone}`, type: "A", ttl },
    answers: [address(21, { ip_prefixes: ["198.51.100.0/24"] }), address(22)],
    filters: [{ filter: "netfence_prefix", config: { remove_no_ip_prefixes: true } }, one],
  },
  {
    ...{ domain: `weights.${zone}`, type: "A", ttl },
    answers: [address(31, { weight: 5 }), address(32, { weight: 3 }), address(33, { weight: 2 })],
    filters: [{ filter: "weighted_shuffle", config: {} }, one],
  },
  {
    ...{ domain: `sticky.${zone}`, type: "A", ttl },
    answers: [address(41), address(42), address(43), address(44)],
    filters: [{ filter: "sticky", config: { sticky_by_network: true } }, one],
  },
];
