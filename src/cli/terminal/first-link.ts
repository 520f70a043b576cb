/** The link of the greeting with which the first user signs in. */
import { type Config, type SshConnection, sshConnection } from "../../config/config.ts";
import { printEndpoint, reachable } from "../../config/values.ts";
import type { FirstToken } from "../../control/people/operator/first-link.ts";
import { isLoopback } from "../../lib/address/egress.ts";

export interface FirstLink extends FirstToken {
  /** Over which a person at another machine sees the greeting. */
  readonly ssh: SshConnection | undefined;
}

/**
 * Makes the link, on a terminal only: other output may be stored where others read it. `ask` asks control for the token.
 * Undefined where no link would work: it must be opened at a loopback address, over http.
 */
export async function firstLink(config: Config, ask: () => Promise<string>): Promise<FirstLink | undefined> {
  if (!process.stdout.isTTY || !isOpenedHere(config)) return undefined;
  const made: FirstToken | null = JSON.parse(await ask().catch(() => "null"));
  return made === null ? undefined : { ...made, ssh: sshConnection() };
}

const isOpenedHere = ({ http, publicUrl }: Config) =>
  isLoopback(reachable(http).address) && !publicUrl?.startsWith("https:");

/** The lines of the greeting. `url` is the address of the API. */
export function firstLinkLines(config: Config, url: string, { username, token, ssh }: FirstLink): string[] {
  return [
    `Sign in as the first user, ${username}. This link works once, for 15 minutes:`,
    "",
    `  ${url}/welcome#${token}`,
    "",
    ...(ssh ? ["On the machine of your browser, run this first:", "", `  ${forwarding(config, ssh)}`, ""] : []),
  ];
}

function forwarding({ http }: Config, { user, address, port }: SshConnection): string {
  const here = printEndpoint(reachable(http));
  const at = user === undefined ? address : `${user}@${address}`;
  return `ssh -N -L ${http.port}:${here}${port === 22 ? "" : ` -p ${port}`} ${at}`;
}
