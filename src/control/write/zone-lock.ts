/** Which zone a statement means, and how transactions take turns at it. */

/** The only view until zones can be in others. */
export const defaultView = "default";

/**
 * Conditions, always true, of every statement that locks a zone. PostgreSQL lets all who share a row pass one who waits to
 * have it alone, for ever when they keep coming; its advisory locks are given in the order in which they were asked for.
 * Conditions are looked at before rows are locked, so that the gate comes first.
 */
const gate = "hashtextextended(zone.id, 0)";
export const wholeGate = `pg_advisory_xact_lock(${gate}) is not null`;
export const sharedGate = `pg_advisory_xact_lock_shared(${gate}) is not null`;
