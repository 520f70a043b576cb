/** Who is signed in. When the session ends, signing in opens over the page, which keeps all that was typed. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import { ApiError, call, keepToken, onRefusal, type Reply, root } from "../api/client.ts";
import { forgetKept } from "../kit/kept.ts";
import { routes } from "../routes.ts";
import { SignIn } from "../screens/signin/sign-in.tsx";

type SignedIn = Reply<"POST /v1/auth/signin">["data"];
export type SessionUser = SignedIn["user"];

interface Known {
  readonly state: "loading" | "none" | "full" | "ended" | "unreachable";
  readonly user: SessionUser | undefined;
  /** A sign-in that needs another step. */
  readonly incomplete: SignedIn | undefined;
  /** The reason why the link of a first sign-in did not work. */
  readonly refusal?: string;
}

interface SessionActs {
  readonly user: SessionUser;
  signOut(): Promise<void>;
  /** Takes over what a request replied that began a session. */
  begin(signedIn: SignedIn): void;
}

const noteKey = "signed-in";

/** Whether a session may exist: pages cannot see its cookie. */
const hasSignedIn = () => localStorage.getItem(noteKey) !== null;

/** Notes for all tabs whether a session was begun. */
function noteSignedIn(is: boolean): void {
  if (is) localStorage.setItem(noteKey, "1");
  else localStorage.removeItem(noteKey);
}

/**
 * The secret behind the `#` of the link that a start prints on its terminal. It leaves the address bar before anything
 * else happens.
 */
function takeFirstToken(): string | undefined {
  const isWelcome = location.pathname === new URL(`.${routes.welcome}`, root).pathname;
  const token = location.hash.slice(1);
  if (!isWelcome || token === "") return undefined;
  history.replaceState(history.state, "", location.pathname);
  return token;
}

const Context = createContext<SessionActs | undefined>(undefined);

/** The session of the user who is signed in. */
export function useSession(): SessionActs {
  const session = use(Context);
  if (!session) throw new Error("useSession is called outside of a session");
  return session;
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [known, setKnown] = useState<Known>({ state: "loading", user: undefined, incomplete: undefined });
  const client = useQueryClient();

  const begin = useCallback(
    (signedIn: SignedIn) => {
      keepToken(signedIn.csrf_token);
      noteSignedIn(true);
      setKnown((before) => {
        if (signedIn.stage !== "full") return { ...before, incomplete: signedIn };
        const isOther = before.user !== undefined && before.user.username !== signedIn.user.username;
        if (isOther) {
          client.clear();
          forgetKept();
        }
        return { state: "full", user: signedIn.user, incomplete: undefined };
      });
      if (signedIn.stage === "full") void client.invalidateQueries();
    },
    [client],
  );

  const look = useCallback(async () => {
    const token = takeFirstToken();
    if (token !== undefined) {
      try {
        return begin((await call("POST /v1/auth/first", { body: { token } })).data);
      } catch (error) {
        setKnown((before) => ({ ...before, refusal: error instanceof ApiError ? error.message : String(error) }));
      }
    }
    // nobody signed in here: the question would only be refused
    if (!hasSignedIn()) return setKnown((before) => ({ ...before, state: "none" }));
    try {
      begin((await call("GET /v1/auth/session")).data);
      setKnown((before) => (before.state === "loading" ? { ...before, state: "none" } : before));
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status === 401;
      setKnown((before) => ({ ...before, state: isRefused ? "none" : "unreachable" }));
    }
  }, [begin]);

  useEffect(() => {
    void look();
    return onRefusal((error) => {
      if (error.status === 401)
        setKnown((before) => (before.state === "full" ? { ...before, state: "ended" } : before));
    });
  }, [look]);

  const { user, state, incomplete, refusal } = known;
  const acts = useMemo(() => {
    if (!user) return undefined;
    const signOut = async () => {
      await call("POST /v1/auth/signout");
      noteSignedIn(false);
      forgetKept();
      client.clear();
      setKnown({ state: "none", user: undefined, incomplete: undefined });
    };
    return { user, signOut, begin };
  }, [user, client, begin]);

  if (state === "loading") return null;
  return (
    <>
      {acts && <Context value={acts}>{children}</Context>}
      {state !== "full" && (
        <SignIn
          isOver={acts !== undefined}
          isReachable={state !== "unreachable"}
          incomplete={incomplete}
          refusal={refusal}
          onBegin={begin}
          onRetry={look}
        />
      )}
    </>
  );
}
