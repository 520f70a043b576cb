/** Chooses the user as whom the service runs. */
import { invalid } from "../../lib/problem.ts";
import { type Account, systemAccount } from "./account.ts";

/** The facts on which the choice depends. */
export interface Facts {
  /** The user of this process. */
  readonly uid: number;
  readonly directory: string;
  /** The owner of the data directory; undefined if there is no directory yet. */
  readonly owner: Omit<Account, "name"> | undefined;
  find(user: string | number): Account | undefined;
  /** The reason why a user cannot run the service; undefined if it can. */
  obstacleFor(account: Account): string | undefined;
}

export type Choice =
  /** `warning` is the reason why root stays root although nobody asked for it. */
  | { readonly kind: "stay"; readonly warning?: string }
  /** `account` is undefined if the user of Fairlead has yet to be made. */
  | { readonly kind: "become"; readonly account: Account | undefined };

/** Stands for a user that has yet to be made: it may do what everybody may. */
const anybody: Account = { name: systemAccount, uid: 65_534, gid: 65_534 };

/** Throws a Problem if the wanted user cannot run the service, or if the data belong to yet another user. */
export function chooseUser(wanted: string | undefined, facts: Facts): Choice {
  const { uid, owner, find, obstacleFor } = facts;
  if (uid !== 0) {
    if (wanted !== undefined && find(wanted)?.uid !== uid) throw refusedFor(wanted, find(uid)?.name ?? `user ${uid}`);
    return { kind: "stay" };
  }
  const account = wantedAccount(wanted, facts);
  if (owner && owner.uid !== 0 && owner.uid !== (account ?? anybody).uid) throw foreign(facts, owner.uid);
  if (account?.uid === 0) return { kind: "stay" };
  const obstacle = obstacleFor(account ?? anybody);
  if (obstacle === undefined) return { kind: "become", account };
  const isAsked = wanted !== undefined || (owner !== undefined && owner.uid !== 0);
  if (isAsked) throw invalid(`--user: ${obstacle}; --user root stays root`, { key: "--user" });
  return { kind: "stay", warning: `Fairlead runs as root: ${obstacle}. Mend this, or say --user root` };
}

/** Returns undefined for the user of Fairlead if it does not exist. */
function wantedAccount(wanted: string | undefined, { owner, find }: Facts): Account | undefined {
  if (wanted !== undefined) {
    const found = find(wanted);
    if (!found && wanted !== systemAccount) throw invalid(`--user: there is no user ${wanted}`, { key: "--user" });
    return found;
  }
  if (owner && owner.uid !== 0) return find(owner.uid) ?? { name: `${owner.uid}`, ...owner };
  return find(systemAccount);
}

const refusedFor = (wanted: string, own: string) =>
  invalid(`--user: only root can start Fairlead as another user: this is ${own}, and not ${wanted}`, {
    key: "--user",
  });

const foreign = ({ directory, find }: Facts, uid: number) => {
  const name = find(uid)?.name ?? uid;
  return invalid(
    `--user: ${directory} belongs to ${name}: start Fairlead with --user ${name}, or give the directory to the ` +
      "other user with `chown -R`",
    { key: "--user" },
  );
};
