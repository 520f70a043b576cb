/** The addresses from which a user or key may come. */
import { Stack, Switch } from "@mantine/core";
import type { ApiError } from "../../../api/client.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { accountTexts as texts } from "../../../text/account.ts";
import { LinesField } from "./lines-field.tsx";

export interface Addresses {
  readonly ip_whitelist: string[];
  readonly ip_whitelist_strict: boolean;
}

interface Props {
  readonly value: Addresses;
  readonly error: ApiError | null;
  readonly onChange: (value: Partial<Addresses>) => void;
}

export function AddressesField({ value: { ip_whitelist, ip_whitelist_strict }, error, onChange }: Props) {
  const meaning = ip_whitelist_strict
    ? ip_whitelist.length === 0
      ? texts.strictEmpty
      : undefined
    : ip_whitelist.length > 0
      ? texts.addressesOff
      : undefined;
  return (
    <Stack gap="xs">
      <LinesField
        label={texts.addresses}
        description={texts.addressesHint}
        value={ip_whitelist}
        error={messageFor(error, "ip_whitelist")}
        onChange={(entries) => onChange({ ip_whitelist: entries })}
      />
      <Switch
        label={texts.strict}
        description={meaning}
        error={messageFor(error, "ip_whitelist_strict")}
        checked={ip_whitelist_strict}
        onChange={(event) => onChange({ ip_whitelist_strict: event.currentTarget.checked })}
      />
    </Stack>
  );
}
