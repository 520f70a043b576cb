/** Who is signed in. When the session ends, signing in opens over the page, which keeps all that was typed. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import { ApiError, call, keepToken, onRefusal, type Reply } from "../api/client.ts";
import { forgetKept } from "../kit/kept.ts";
import { SignIn } from "../screens/signin/sign-in.tsx";
import { welcomeTexts } from "../text/welcome.ts";
import { takeFirstToken } from "./first-token.ts";

type SignedIn = Reply<"POST /v1/auth/signin">["data"];
export type SessionUser = SignedIn["user"];

interface Known {
  readonly state: "loading" | "none" | "full" | "ended" | "unreachable";
  readonly user: SessionUser | undefined;
  /** A sign-in that needs another step. */
  readonly incomplete: SignedIn | undefined;
}

interface SessionActs {
  readonly user: SessionUser;
  signOut(): Promise<void>;
  /** Takes over what a request replied that began a session. */
  begin(signedIn: SignedIn): void;
}

/** Signs the first user in with the link of a start; the reply is that of signing in. */
const firstSignIn = (token: string) =>
  call<"POST /v1/auth/signin">("POST /v1/auth/first" as never, { body: { token } as never });

const noteKey = "signed-in";

/** Whether a session may exist: pages cannot see its cookie. */
const hasSignedIn = () => localStorage.getItem(noteKey) !== null;

/** Notes for all tabs whether a session was begun. */
function noteSignedIn(is: boolean): void {
  if (is) localStorage.setItem(noteKey, "1");
  else localStorage.removeItem(noteKey);
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
  const [refusal, setRefusal] = useState<string>();
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
        return begin((await firstSignIn(token)).data);
      } catch (error) {
        setRefusal(welcomeTexts.refused(error instanceof Error ? error.message : String(error)));
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

  const { user, state, incomplete } = known;
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
