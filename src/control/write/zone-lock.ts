/** The DNS view that statements name, and fair locks on zones. */

/** The only view so far. */
export const defaultView = "default";

/**
 * Every statement that locks a zone has one of these conditions, which are always true. PostgreSQL lets shared row locks
 * overtake a waiting exclusive lock, without end if they keep coming; but it grants advisory locks in the order of
 * requests. Conditions are evaluated before rows are locked, so the gate comes first.
 */
const gate = "hashtextextended(zone.id, 0)";
export const wholeGate = `pg_advisory_xact_lock(${gate}) is not null`;
export const sharedGate = `pg_advisory_xact_lock_shared(${gate}) is not null`;
