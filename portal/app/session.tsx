/** Who is signed in. When the session ends, signing in opens over the page, which keeps all that was typed. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import { ApiError, call, keepToken, onRefusal, type Reply } from "../api/client.ts";
import { forgetKept } from "../kit/kept.ts";
import { Loading } from "../kit/loading.tsx";
import { noteFailure } from "../kit/note-failure.ts";
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

/** Notes for all tabs who signed in; undefined when the user signed out. */
function noteSignedIn(username: string | undefined): void {
  if (username === undefined) localStorage.removeItem(noteKey);
  else localStorage.setItem(noteKey, username);
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
      const { user, stage } = signedIn;
      noteSignedIn(user.username);
      if (stage !== "full") return setKnown((before) => ({ ...before, incomplete: signedIn }));
      forgetKept(user.username);
      setKnown((before) => {
        const isOther = before.user !== undefined && before.user.username !== user.username;
        if (isOther) client.clear();
        return { state: "full", user, incomplete: undefined };
      });
      void client.invalidateQueries();
    },
    [client],
  );

  /** Leaves nothing of the user in this tab. */
  const leave = useCallback(() => {
    forgetKept();
    client.clear();
    setKnown({ state: "none", user: undefined, incomplete: undefined });
  }, [client]);

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
    // another tab signed out, or signed somebody else in: the session is the same in all tabs
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key !== noteKey) return;
      if (newValue === null) leave();
      else void look();
    };
    addEventListener("storage", onStorage);
    const stop = onRefusal((error) => {
      // a wrong password or code in a form says nothing about the session
      if (error.status === 401 && error.details["field"] === undefined)
        setKnown((before) => (before.state === "full" ? { ...before, state: "ended" } : before));
    });
    return () => {
      removeEventListener("storage", onStorage);
      stop();
    };
  }, [look, leave]);

  const { user, state, incomplete } = known;
  const acts = useMemo(() => {
    if (!user) return undefined;
    const signOut = async () => {
      try {
        await call("POST /v1/auth/signout");
      } catch (error) {
        // a session that has ended needs no signing out
        if (!(error instanceof ApiError && error.status === 401)) return noteFailure(error);
      }
      noteSignedIn(undefined);
      leave();
    };
    return { user, signOut, begin };
  }, [user, leave, begin]);

  if (state === "loading") return <Loading />;
  return (
    <>
      {/* nothing that one user typed stays for another */}
      {acts && (
        <Context key={acts.user.username} value={acts}>
          {children}
        </Context>
      )}
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
