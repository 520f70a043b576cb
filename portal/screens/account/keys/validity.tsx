/** Until when a key is valid: the end of its last secret, or no end. */
import { Text } from "@mantine/core";
import type { ApiKey, ApiKeySecret } from "../../../api/types.ts";
import { State } from "../../../kit/state.tsx";
import { relative, Time } from "../../../kit/time.tsx";
import { keysTexts as texts } from "../../../text/keys.ts";

/** Seconds before the end from which on it is marked. */
const soon = 7 * 86_400;

export const endOf = ({ expires_at }: ApiKeySecret): number => Date.parse(expires_at) / 1000;

export function Validity({ apiKey: { expiry_duration, secrets = [] } }: { readonly apiKey: ApiKey }) {
  if (expiry_duration === undefined) {
    return (
      <Text span inherit c="dimmed">
        {texts.forever}
      </Text>
    );
  }
  const enabled = secrets.filter((secret) => secret.enabled);
  if (enabled.length === 0) return <State is="refused" text={texts.noSecret} />;
  const end = Math.max(...enabled.map(endOf));
  const left = end - Date.now() / 1000;
  if (left <= 0) return <State is="refused" text={texts.expired} />;
  if (left < soon) return <State is="stale" text={texts.ending(relative(end))} />;
  return <Time at={end} />;
}
