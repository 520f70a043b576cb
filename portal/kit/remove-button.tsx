/** A button that deletes something after a question; if much hangs on it, its name has to be typed. */
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { Confirm } from "./confirm.tsx";
import { DangerButton } from "./danger-button.tsx";

interface Texts {
  readonly remove: string;
  readonly removeTitle: (name: string) => string;
  readonly removeText: string;
  /** Names the button among others with the same text. */
  readonly removeAct?: (name: string) => string;
  /** The note after the removal. */
  readonly removed: (name: string) => string;
}

interface Props {
  readonly texts: Texts;
  readonly name: string;
  /** Whether the name has to be typed. */
  readonly isTyped?: boolean;
  readonly write: {
    readonly isPending: boolean;
    readonly error: ApiError | null;
    readonly reset: () => void;
  };
  readonly onRemove: (onSuccess: () => void) => void;
  readonly onRemoved?: () => void;
}

export function RemoveButton({ texts, name, isTyped = false, write, onRemove, onRemoved }: Props) {
  const [isAsked, setAsked] = useState(false);
  const close = () => {
    setAsked(false);
    write.reset();
  };
  const confirm = () =>
    onRemove(() => {
      close();
      notifications.show({ message: texts.removed(name) });
      onRemoved?.();
    });
  return (
    <>
      <DangerButton
        {...(texts.removeAct && { size: "compact-sm" })}
        aria-label={texts.removeAct?.(name)}
        onClick={() => setAsked(true)}
      >
        {texts.remove}
      </DangerButton>
      {isAsked && (
        <Confirm
          title={texts.removeTitle(name)}
          text={texts.removeText}
          act={texts.remove}
          name={isTyped ? name : undefined}
          isPending={write.isPending}
          error={write.error}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </>
  );
}
