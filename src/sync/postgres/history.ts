/** The join of a zone's serials with its history. */

/**
 * What to join with `zone_serial as given`: the change that gave the serial, as `history`. With the limit it is one look-up
 * by the whole key. A plain join reads the zone's whole history for each serial while the planner has no statistics about
 * a zone that grew quickly.
 */
export const historyOfSerial = `lateral (
    select * from zone_history
    where account_id = given.account_id and zone_id = given.zone_id and change_id = given.change_id limit 1
  ) as history on true`;
