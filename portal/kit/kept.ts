/**
 * What was typed and not saved: kept in this tab until it is saved or the user signs out, so that a reload or the end of
 * a session loses nothing. Never for passwords, codes or keys.
 */
import { useCallback, useState } from "react";
import { useSession } from "../app/session.tsx";

const prefix = "kept:";

/** A state like that of `useState`, kept in the tab under the user and a name. */
export function useKept<T>(name: string, initial: T): readonly [T, (value: T) => void, () => void] {
  const { user } = useSession();
  const key = `${prefix}${user.username}:${name}`;
  const [value, setValue] = useState<T>(() => read(key) ?? initial);
  const keep = useCallback(
    (next: T) => {
      setValue(next);
      try {
        sessionStorage.setItem(key, JSON.stringify(next));
      } catch {
        // the storage is full: the value stays in the page
      }
    },
    [key],
  );
  const forget = useCallback(() => sessionStorage.removeItem(key), [key]);
  return [value, keep, forget];
}

function read<T>(key: string): T | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** Forgets everything, when the user signs out or another one signs in. */
export function forgetKept(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}
