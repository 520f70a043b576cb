/** Gives the newest version a name, which keeps it. */
import { Button, Group, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useWrite } from "../../../kit/api.ts";
import { useKept } from "../../../kit/kept.ts";
import { versionsTexts as texts } from "../../../text/zone-versions.ts";

export function SaveVersion({ zone }: { readonly zone: string }) {
  const [name, keep, forget] = useKept(`version:${zone}`, "");
  const write = useWrite("PUT /v1/zones/{zone}/versions", ["GET /v1/zones/{zone}/versions"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write.mutate({ path: { zone }, body: { name } }, { onSuccess: forget });
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={texts.saveName}
          description={texts.saveHint}
          maxLength={255}
          required
          value={name}
          error={write.error?.message}
          onChange={(event) => keep(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={write.isPending} disabled={name.trim() === ""}>
          {texts.save}
        </Button>
      </Group>
    </form>
  );
}
