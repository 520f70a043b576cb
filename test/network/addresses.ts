/** Addresses as numbers and as text. */

export const ipv4Text = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
