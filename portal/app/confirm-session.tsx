/** The dialogue that asks for the password again before an act that gives others access. */
import { Modal } from "@mantine/core";
import { useEffect, useState } from "react";
import { confirmWith } from "../api/confirmation.ts";
import { useWrite } from "../kit/api.ts";
import { ProofForm } from "../kit/proof-form.tsx";
import { securityTexts as texts } from "../text/security.ts";

export function ConfirmSession() {
  const [answer, setAnswer] = useState<(isGiven: boolean) => void>();
  const { mutate, isPending, error, reset } = useWrite("POST /v1/auth/confirm", ["GET /v1/auth/sessions"]);
  useEffect(() => confirmWith(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  const end = (isGiven: boolean) => {
    setAnswer(undefined);
    reset();
    answer(isGiven);
  };
  return (
    <Modal opened onClose={() => end(false)} title={texts.confirmTitle} zIndex={400}>
      <ProofForm
        hint={texts.confirmHint}
        act={texts.confirm}
        isPending={isPending}
        error={error}
        onProof={(body) => mutate({ body }, { onSuccess: () => end(true) })}
        onClose={() => end(false)}
      />
    </Modal>
  );
}
