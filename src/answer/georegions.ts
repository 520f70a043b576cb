/** The coarse regions of the world. Apart from the other places: workers need these, and not all of ISO 3166. */

export const georegions = ["US-EAST", "US-CENTRAL", "US-WEST", "EUROPE", "ASIAPAC", "SOUTH-AMERICA", "AFRICA"] as const;
