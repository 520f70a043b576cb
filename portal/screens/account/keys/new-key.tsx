/** The form for a new key; afterwards the key itself, once. */
import { NumberInput, Stack } from "@mantine/core";
import { useOpen } from "../../../app/link.tsx";
import { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { Form } from "../../../kit/form.tsx";
import { useKept } from "../../../kit/kept.ts";
import { TextField } from "../../../kit/text-field.tsx";
import { accountTexts as common } from "../../../text/account.ts";
import { keysTexts as texts } from "../../../text/keys.ts";
import { type Addresses, AddressesField } from "../parts/addresses-field.tsx";
import { Detail } from "../parts/detail.tsx";
import { TeamsField } from "../parts/teams-field.tsx";
import { type Given, nothingGiven, permissionsOf } from "../rights/given.ts";
import { Matrix } from "../rights/matrix.tsx";
import { useKnownRights } from "../rights/use-known-rights.ts";
import { type Choice, hasDomain, RightsChoice } from "./rights-choice.tsx";
import { SecretOnce } from "./secret-once.tsx";

interface Typed extends Addresses, Choice {
  readonly name: string;
  readonly days: number | "";
  readonly teams: readonly string[];
  readonly given: Given;
}

const blank: Typed = {
  name: "",
  days: "",
  kind: "acme",
  zone: "",
  domain: "",
  teams: [],
  given: { ...nothingGiven, denies: true },
  ip_whitelist: [],
  ip_whitelist_strict: false,
};

export function NewKey() {
  const open = useOpen();
  const known = useKnownRights();
  const [typed, keep, forget] = useKept<Typed>("new-key", blank);
  const set = (fields: Partial<Typed>) => keep({ ...typed, ...fields });
  const { mutate, isPending, error, data } = useWrite("PUT /v1/account/apikeys", ["GET /v1/account/apikeys"]);
  if (data) {
    const { id, key, secrets } = data.data;
    const show = () => open({ to: "accountPage", params: { page: "keys" }, search: { key: id } });
    return (
      <Detail page="keys" title={data.data.name}>
        <SecretOnce secret={key ?? secrets?.find((one) => one.key !== undefined)?.key ?? ""} onDone={show} />
      </Detail>
    );
  }
  return (
    <Detail page="keys" title={texts.add}>
      <Form
        act={texts.create}
        isPending={isPending}
        error={error}
        onSubmit={() => mutate({ body: bodyOf(typed) }, { onSuccess: forget })}
        other={[common.discard, forget]}
      >
        <Stack gap="sm" maw={480}>
          <TextField
            label={texts.name}
            description={texts.nameHint}
            required
            value={typed.name}
            error={messageFor(error, "name")}
            onChange={(name) => set({ name })}
          />
          <RightsChoice
            value={typed}
            error={error}
            onChange={({ kind, zone, domain }) => set({ kind, zone, domain })}
          />
          {typed.kind === "teams" && (
            <TeamsField value={typed.teams} error={messageFor(error, "teams")} onChange={(teams) => set({ teams })} />
          )}
        </Stack>
        {typed.kind === "own" && (
          <Matrix given={typed.given} onChange={(given) => set({ given })} known={known} isNew error={error} />
        )}
        <Stack gap="sm" maw={480}>
          <NumberInput
            label={texts.days}
            description={texts.daysHint}
            min={1}
            allowDecimal={false}
            value={typed.days}
            error={messageFor(error, "expiry_duration")}
            onChange={(days) => set({ days: typeof days === "number" ? days : "" })}
          />
          <AddressesField value={typed} error={error} onChange={set} />
        </Stack>
      </Form>
    </Detail>
  );
}

function bodyOf({ name, days, kind, zone, domain, teams, given, ip_whitelist, ip_whitelist_strict }: Typed) {
  const domainOf = domain.trim() === "" || !hasDomain(kind) ? {} : { domain: domain.trim() };
  const preset = { name: kind as "acme", ...(zone.trim() === "" ? {} : { zone: zone.trim() }), ...domainOf };
  return {
    name,
    ip_whitelist: [...ip_whitelist],
    ip_whitelist_strict,
    ...(days === "" ? {} : { expiry_duration: `${days}d` }),
    ...(kind === "own" ? { permissions: permissionsOf(given) } : kind === "teams" ? { teams: [...teams] } : { preset }),
  };
}
