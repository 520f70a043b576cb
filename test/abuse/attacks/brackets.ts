/** A body of nothing but brackets, to an endpoint that needs no key. */
import { type Attack, repeat, type Target } from "../attack.ts";

const send = ({ url }: Target, body: string) =>
  fetch(`${url}/v1/auth/signin`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", origin: url },
  });

export const brackets: Attack = {
  name: "brackets",
  what: "2 MB of brackets a second to sign-in, without a key",
  victim: "api",
  bar: 2,
  attack: (target, signal) => {
    const body = "[".repeat(1_000_000) + "]".repeat(1_000_000);
    return repeat(signal, 1000, () => send(target, body));
  },
  // as many octets, in requests that are refused for their route
  harmless: (target, signal) => {
    const body = `"${"x".repeat(1_999_998)}"`;
    return repeat(signal, 1000, () => fetch(`${target.url}/v1/nothing`, { method: "POST", body }));
  },
};
