/** Octets in the largest unit that fits, such as "12.3 MB". */
const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function octetsText(octets: number): string {
  const at = Math.min(Math.floor(Math.log10(Math.max(octets, 1)) / 3), units.length - 1);
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: units[at]!,
    unitDisplay: "short",
    maximumSignificantDigits: 3,
  }).format(octets / 1000 ** at);
}
