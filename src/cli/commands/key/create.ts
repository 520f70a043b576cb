/** `fairlead key create`: a key with a preset's permissions, through the API of a running service. */
import { type ApiConfig, apiOf } from "../../host/api.ts";

export interface CreateOptions {
  readonly preset: string;
  readonly zone?: string;
  readonly domain?: string;
  readonly expires?: string;
}

/** Prints the key's string, or the text of its first secret if the key expires. */
export async function createKey(config: ApiConfig, name: string, options: CreateOptions): Promise<void> {
  const { preset, zone, domain, expires } = options;
  const body = { name, preset: { name: preset, zone, domain }, expiry_duration: expires };
  const made = await apiOf(config).call<Made>("PUT", "account/apikeys", body);
  process.stdout.write(`${made.body.key ?? made.body.secrets?.[0]?.key}\n`);
}

interface Made {
  readonly key?: string;
  readonly secrets?: readonly { readonly key?: string }[];
}
