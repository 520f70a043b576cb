/**
 * Unsaved input, kept in this tab until it is saved or the user signs out, so that a reload or the end of
 * a session loses nothing. Never for passwords, codes or keys.
 */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useSession } from "../app/session.tsx";

const prefix = "kept:";
const listeners = new Set<() => void>();

/** The beginning of the keys of a user. A user name belongs to one account. */
const ownKeys = (username: string) => `${prefix}${encodeURIComponent(username)}:`;

/** A state like that of `useState`, shared by all components that name it, and kept in the tab under the user. */
export function useKept<T>(name: string, initial: T): readonly [T, (value: T) => void, () => void] {
  const { user } = useSession();
  const key = `${ownKeys(user.username)}${name}`;
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(key));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the initial value counts only at first
  const value = useMemo(() => read<T>(text) ?? initial, [text]);
  const keep = useCallback(
    (next: T) => {
      sessionStorage.setItem(key, JSON.stringify(next));
      announce();
    },
    [key],
  );
  const forget = useCallback(() => {
    sessionStorage.removeItem(key);
    announce();
  }, [key]);
  return [value, keep, forget];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function announce(): void {
  for (const listener of listeners) listener();
}

function read<T>(text: string | null): T | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** Forgets the input of all users, or of all but the one who is signed in. */
export function forgetKept(except?: string): void {
  for (const key of Object.keys(sessionStorage)) {
    const isOwn = except !== undefined && key.startsWith(ownKeys(except));
    if (key.startsWith(prefix) && !isOwn) sessionStorage.removeItem(key);
  }
  announce();
}
