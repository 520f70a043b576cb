/** How a new key gets its rights: one of the API's presets, those of teams, or rights of its own. */
import { Radio, Stack } from "@mantine/core";
import type { ApiError } from "../../../api/client.ts";
import { useBodySchema } from "../../../kit/body-schema.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { TextField } from "../../../kit/text-field.tsx";
import { keysTexts as texts } from "../../../text/keys.ts";

export interface Choice {
  /** The name of a preset, `teams` or `own`. */
  readonly kind: string;
  readonly zone: string;
  readonly domain: string;
}

interface Props {
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
  readonly error: ApiError | null;
}

const known: { readonly [name: string]: readonly [string, string] } = texts.presets;

export function RightsChoice({ value, onChange, error }: Props) {
  const { schema } = useBodySchema("PUT /v1/account/apikeys");
  const listed = schema?.properties?.["preset"]?.properties?.["name"]?.enum;
  const presets = listed?.map(String) ?? Object.keys(known);
  const { kind, zone, domain } = value;
  const isPreset = presets.includes(kind);
  return (
    <Stack gap="sm">
      <Radio.Group label={texts.rightsOf} value={kind} onChange={(next) => onChange({ ...value, kind: next })}>
        <Stack gap={6} mt={6}>
          {presets.map((name) => {
            const [title, about] = known[name] ?? [name, ""];
            return <Radio key={name} value={name} label={`${title} (${name})`} description={about} />;
          })}
          <Radio value="teams" label={texts.teamsKind} description={texts.teamsKindHint} />
          <Radio value="own" label={texts.ownKind} description={texts.ownKindHint} />
        </Stack>
      </Radio.Group>
      {isPreset && (
        <>
          <TextField
            label={texts.zone}
            placeholder="example.com"
            required={kind !== "read-only"}
            isName
            value={zone}
            error={messageFor(error, "preset.zone")}
            onChange={(text) => onChange({ ...value, zone: text })}
          />
          {hasDomain(kind) && (
            <TextField
              label={texts.domain}
              description={(texts.domainHint as { readonly [kind: string]: string })[kind]}
              placeholder="www.example.com"
              required={kind === "dyndns"}
              isName
              value={domain}
              error={messageFor(error, "preset.domain")}
              onChange={(text) => onChange({ ...value, domain: text })}
            />
          )}
        </>
      )}
    </Stack>
  );
}

/** Presets for whole zones have no name. */
export const hasDomain = (kind: string) => kind !== "read-only" && kind !== "zone";
