/**
 * Time-based codes of a second factor (RFC 6238): six digits, a new one every 30 seconds, as authenticator apps show
 * them.
 */
import { timingSafeEqual } from "node:crypto";

const period = 30;
/** The number of time steps by which a code may be early or late. */
const drift = 1;

/** 160 random bits in base 32. */
export const newTotpSecret = async (): Promise<string> => (await otplib()).generateSecret({ length: 20 });

/** The URL that sets up an authenticator app. */
export const totpUrl = async (secret: string, username: string): Promise<string> =>
  (await otplib()).generateURI({ issuer: "Fairlead", label: username, secret });

/** The URL as a QR code, in a data URL. */
export async function qrOf(url: string): Promise<string> {
  const { default: qrcode } = await import("qrcode");
  return await qrcode.toDataURL(url, { errorCorrectionLevel: "M", margin: 2 });
}

/** The latest time step near `now` that has this code; undefined for a wrong code. */
export async function stepOf(secret: string, code: string, now: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const { generate } = await otplib();
  const current = Math.floor(now / period);
  let found: number | undefined;
  for (let step = current - drift; step <= current + drift; step++) {
    const right = await generate({ secret, epoch: step * period, period });
    if (timingSafeEqual(Buffer.from(right), Buffer.from(code))) found = step;
  }
  return found;
}

/** Loaded when a second factor is first used. */
const otplib = () => import("otplib");
