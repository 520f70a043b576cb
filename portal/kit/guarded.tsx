/** Asks once more when the service holds back a deletion of much, or of something that others are linked to (409). */
import type { ApiError } from "../api/client.ts";
import { kitTexts as texts } from "../text/kit.ts";
import { Confirm } from "./confirm.tsx";

interface Props {
  readonly error: ApiError | null;
  readonly isPending: boolean;
  /** The text of the button: a verb with its object. */
  readonly act: string;
  /** Sends the request again, with `confirm_deletions`. */
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export const isGuarded = (error: ApiError | null) => error?.status === 409;

export function Guarded({ error, isPending, act, onConfirm, onClose }: Props) {
  if (!error || !isGuarded(error)) return null;
  const props = { act, isPending, onConfirm, onClose };
  return <Confirm title={texts.guarded} text={error.message} error={null} {...props} />;
}
