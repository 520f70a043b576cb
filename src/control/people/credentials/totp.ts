/** Codes of a second factor by time (RFC 6238): six digits, every 30 seconds, as every authenticator app makes them. */
import { timingSafeEqual } from "node:crypto";

const period = 30;
/** Steps of time that a clock may be off, or a person slow. */
const drift = 1;

/** 160 bits, in the letters that people can type. */
export const newTotpSecret = async (): Promise<string> => (await otplib()).generateSecret({ length: 20 });

/** What an authenticator app takes, as text. */
export const totpUrl = async (secret: string, username: string): Promise<string> =>
  (await otplib()).generateURI({ issuer: "Fairlead", label: username, secret });

/** The same as a picture, for a page to show as it is. */
export async function qrOf(url: string): Promise<string> {
  const { default: qrcode } = await import("qrcode");
  return await qrcode.toDataURL(url, { errorCorrectionLevel: "M", margin: 2 });
}

/** The step of time whose code this is, the latest first; undefined when it is no code of now. */
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

/** Loaded when somebody has a second factor. */
const otplib = () => import("otplib");
