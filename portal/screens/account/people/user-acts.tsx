/** Acts on a user: inviting again, resetting the second factor, deleting. */
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { User } from "../../../api/types.ts";
import { useOpen } from "../../../app/link.tsx";
import { useSession } from "../../../app/session.tsx";
import { useWrite } from "../../../kit/api.ts";
import { Confirm } from "../../../kit/confirm.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { RemoveButton } from "../../../kit/remove-button.tsx";
import { peopleTexts as texts } from "../../../text/people.ts";

const outdated = ["GET /v1/account/users"];

export function UserActs({ user }: { readonly user: User }) {
  const { username } = user;
  const open = useOpen();
  const { user: me } = useSession();
  const [isAsked, setAsked] = useState(false);
  const reinvite = useWrite("POST /v1/account/reinvite/{username}", outdated);
  const reset = useWrite("DELETE /v1/account/2factor/reset/{username}", outdated);
  const remove = useWrite("DELETE /v1/account/users/{username}", ["GET /v1/account/users$"]);
  const say = (message: string) => notifications.show({ message });
  const path = { username };
  const close = () => setAsked(false);
  const isMe = username === me.username;
  return (
    <>
      <ErrorNote error={reinvite.error} />
      {user.last_access === null && (
        <Button
          variant="default"
          loading={reinvite.isPending}
          onClick={() => reinvite.mutate({ path }, { onSuccess: () => say(texts.reinvited) })}
        >
          {texts.reinvite}
        </Button>
      )}
      {user["2fa_enabled"] && !isMe && (
        <Button variant="default" onClick={() => setAsked(true)}>
          {texts.resetFactor}
        </Button>
      )}
      {!isMe && (
        <RemoveButton
          texts={texts}
          name={username}
          isTyped
          write={remove}
          onRemove={(onSuccess) => remove.mutate({ path }, { onSuccess })}
          onRemoved={() => open({ to: "accountPage", params: { page: "people" } })}
        />
      )}
      {isAsked && (
        <Confirm
          title={texts.resetTitle(username)}
          text={texts.resetText}
          act={texts.resetFactor}
          isPending={reset.isPending}
          error={reset.error}
          onClose={close}
          onConfirm={() =>
            reset.mutate(
              { path },
              {
                onSuccess: () => {
                  close();
                  say(texts.factorWasReset);
                },
              },
            )
          }
        />
      )}
    </>
  );
}
