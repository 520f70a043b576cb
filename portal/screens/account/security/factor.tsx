/** The own second factor: setting it up, new recovery codes, turning it off. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useSession } from "../../../app/session.tsx";
import { useWrite } from "../../../kit/api.ts";
import { DangerButton } from "../../../kit/danger-button.tsx";
import { ProofForm } from "../../../kit/proof-form.tsx";
import { State } from "../../../kit/state.tsx";
import { peopleTexts } from "../../../text/people.ts";
import { securityTexts as texts } from "../../../text/security.ts";
import { Enrolment, RecoveryCodes } from "../../signin/enrolment.tsx";

type Act = "set-up" | "renew" | "disable";

export function Factor() {
  const { user, begin } = useSession();
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  const isOn = user["2fa_enabled"];
  const done = (message: string) => {
    close();
    notifications.show({ message });
  };
  return (
    <Stack gap="sm" maw={420} align="flex-start">
      <Group>
        <Title order={2}>{texts.factor}</Title>
        <State is={isOn ? "ok" : "off"} text={isOn ? peopleTexts.factorOn : peopleTexts.factorOff} />
      </Group>
      <Text size="sm" c="dimmed">
        {isOn ? texts.factorOn : texts.factorOff}
      </Text>
      {act === undefined && !isOn && <Button onClick={() => setAct("set-up")}>{texts.setUp}</Button>}
      {act === undefined && isOn && (
        <Group>
          <Button variant="default" onClick={() => setAct("renew")}>
            {texts.renew}
          </Button>
          <DangerButton onClick={() => setAct("disable")}>{texts.disable}</DangerButton>
        </Group>
      )}
      {act === "set-up" && (
        <>
          <Enrolment
            username={user.username}
            onBegin={(signedIn) => {
              begin(signedIn);
              done(texts.wasSetUp);
            }}
          />
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
        </>
      )}
      {act === "renew" && <Renew onClose={close} />}
      {act === "disable" && <Disable onClose={close} onDone={() => done(texts.disabled)} />}
    </Stack>
  );
}

function Renew({ onClose }: { readonly onClose: () => void }) {
  const { mutate, isPending, error, data } = useWrite("POST /v1/auth/recoverycodes", []);
  if (data) return <RecoveryCodes codes={data.data.recovery_codes} onKept={onClose} />;
  return (
    <ProofForm
      hint={texts.renewHint}
      act={texts.renew}
      isPending={isPending}
      error={error}
      onProof={(body) => mutate({ body })}
      onClose={onClose}
    />
  );
}

interface DisableProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Disable({ onClose, onDone }: DisableProps) {
  const { begin } = useSession();
  const { mutate, isPending, error } = useWrite("POST /v1/auth/totp/disable", ["GET /v1/auth/sessions"]);
  const onSuccess = ({ data }: { readonly data: Parameters<typeof begin>[0] }) => {
    begin(data);
    onDone();
  };
  return (
    <ProofForm
      act={texts.disable}
      isPending={isPending}
      error={error}
      onProof={(body) => mutate({ body }, { onSuccess })}
      onClose={onClose}
    />
  );
}
