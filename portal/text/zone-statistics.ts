export const statisticsTexts = {
  queries: "Queries per second",
  now: (rate: string) => `${rate} queries per second now`,
  total: (count: string) => `${count} queries in this period`,
  none: "Nobody asked for a name of this zone in this period.",
  noneHint: "If the zone is new, its parent may not name its servers yet: see the delegation under Settings.",
  records: "Records by queries",
  name: "Name",
  type: "Type",
  count: "Queries",
  share: "Share",
  estimated: "Queries for names without a record count for the zone only. Counts of quiet records may be estimates.",
} as const;

export const activityTexts = {
  label: "Activity of the zone",
  about: "Who changed what. Changes of records are also under Versions, with what they changed.",
  when: "When",
  who: "Who",
  act: "Act",
  what: "What",
  none: "There are no entries about this zone among those that were read.",
  read: (found: number, read: number) => `${found} of the newest ${read} entries of the account are about this zone.`,
  older: "Look at older entries",
  all: "All activity of the account",
  bulk: "many records",
  acts: {
    create: "created",
    update: "changed",
    delete: "deleted",
    bulk: "changed",
    restore: "restored",
    import: "imported",
    activate: "restored",
  } as { readonly [act: string]: string },
  things: {
    dns_zone: "the zone",
    record: "the record",
    dns_zone_version: "a version",
  } as { readonly [thing: string]: string },
} as const;

export const lintTexts = {
  label: "Probable mistakes",
  about: "Records that are allowed and probably not meant so.",
  record: "Record",
  what: "What is probably wrong",
  field: "Where",
  none: "Nothing looks like a mistake.",
  noneText: (count: number) => `${count === 1 ? "1 record was" : `${count} records were`} looked at.`,
  incomplete: "The zone is too large to look at all of its records.",
} as const;
