/** What needs attention: its kinds, and one item as checks find it. */

/** Kinds by the thing that they are about, in the order of the docs. */
export const kindsOf = {
  zone: ["zone_expired", "zone_expiring", "transfer_failing", "catalog_failing", "catalog_held"],
  lint: ["lint"],
  feed: ["feed_silent"],
  key: ["key_expired", "key_expiring"],
  limit: ["limit_near"],
} as const;
export type About = keyof typeof kindsOf;
export type Kind = (typeof kindsOf)[About][number];

export const abouts = Object.keys(kindsOf) as readonly About[];
export const kinds: readonly Kind[] = abouts.flatMap((about): readonly Kind[] => kindsOf[about]);

/** From the worst on; the store has their positions. */
export const severities = ["error", "warning", "notice"] as const;
export type Severity = (typeof severities)[number];

export interface Item {
  readonly kind: Kind;
  /** The id of the zone, feed or key, or the name of the limit. */
  readonly thing: string;
  /** The name of the zone; blank for other things. */
  readonly zone: string;
  readonly name: string;
  /** Unix seconds; undefined if only the time is known at which it was found. */
  readonly since?: number | undefined;
  readonly severity: Severity;
  /** One sentence that stays true while time passes. */
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A time in a message. */
export const printTime = (seconds: number) =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
