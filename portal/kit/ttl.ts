/** Lengths of time as people type them: 300, 5m, 1h30m, 1d. */

const units: { readonly [unit: string]: number } = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** The seconds of a text; undefined if it is no length of time. */
export function scanTtl(text: string): number | undefined {
  const given = text.trim().toLowerCase();
  if (/^\d{1,10}$/.test(given)) return Number(given);
  if (!/^(\d{1,9}[smhdw])+$/.test(given)) return undefined;
  return [...given.matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit!]!,
    0,
  );
}
