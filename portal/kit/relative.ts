/** Names as people write them inside a zone: `www` for www.example.com, `@` for the zone's own name. */

/** The name of a record relative to its zone. */
export function relativeName(domain: string, zone: string): string {
  if (domain === zone) return "@";
  return domain.endsWith(`.${zone}`) ? domain.slice(0, -zone.length - 1) : domain;
}

/** The full name for a name that was typed: relative to the zone, unless it ends with a dot or with the zone's name. */
export function fullName(typed: string, zone: string): string {
  const name = typed.trim().toLowerCase();
  if (name === "" || name === "@") return zone;
  if (name.endsWith(".")) return name.slice(0, -1);
  return name === zone || name.endsWith(`.${zone}`) ? name : `${name}.${zone}`;
}
