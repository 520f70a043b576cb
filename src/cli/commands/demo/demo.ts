/** `fairlead demo`: loads a zone with steered records into a running service, and prints commands to try. */
import type { Config } from "../../../config/config.ts";
import { printEndpoint, reachable } from "../../../config/values.ts";
import type { Explanation } from "../../../control/steering/explain/schema.ts";
import { type Api, type ApiConfig, apiOf } from "../../host/api.ts";
import { firstKeyOf, program, quoted } from "../../terminal/shell.ts";
import { guide, printGuide, questionKey, questions } from "./guide.ts";
import { load } from "./load.ts";
import { zone } from "./zone.ts";

type DemoConfig = ApiConfig & Pick<Config, "dns">;

export async function demo(config: DemoConfig, defaults: DemoConfig): Promise<void> {
  const api = apiOf(config);
  const { sourceId, done } = await load(api);
  const answers = new Map<string, string>();
  for (const [label, subnet] of questions) answers.set(questionKey(label, subnet), await answerOf(api, label, subnet));
  const [first] = config.dns.map(reachable);
  const dns = first ? `@${first.address} -p ${first.port}` : "";
  const target = { url: api.url, dns, key: keyLine(config), explain: explainLine(config, defaults), sourceId, answers };
  process.stdout.write(`\n${done.join("\n")}\n\n${printGuide(guide(target))}\n\n`);
}

/** The address that clients in a network get. */
async function answerOf(api: Api, label: string, subnet: string): Promise<string> {
  const { body } = await api.call<Explanation>("POST", "explain", { name: `${label}.${zone}`, type: "A", subnet });
  return body.answer[0]?.split(" ").at(-1) ?? "";
}

const keyLine = ({ apiKey, data }: ApiConfig) => `KEY=${apiKey === undefined ? firstKeyOf(data) : quoted(apiKey)}`;

/** The explain command, with the flags that lead it to this service. */
function explainLine({ http, data, apiKey }: ApiConfig, defaults: ApiConfig): string {
  const endpoint = printEndpoint(http);
  return [
    `${program()} explain`,
    ...(endpoint === printEndpoint(defaults.http) ? [] : [`--http ${endpoint}`]),
    ...(apiKey === undefined ? (data === defaults.data ? [] : [`--data ${quoted(data)}`]) : ['--api-key "$KEY"']),
  ].join(" ");
}
