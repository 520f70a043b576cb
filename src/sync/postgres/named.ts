/** SQL of the values of a row of `feed` that edges get: those under metadata keys that records have named. */

const named = (column: "data" | "fallback") => `
  (select coalesce(json_object_agg(key, value), '{}') from json_each(feed.${column}) where key = any(feed.named))`;

export const namedData = named("data");
export const namedFallback = `case when feed.fallback is not null then ${named("fallback")} end`;
