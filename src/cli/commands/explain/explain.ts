/** `fairlead explain`: asks the running service to explain an answer, and prints the explanation as text. */
import type { ExplainBody, Explanation } from "../../../control/steering/explain/schema.ts";
import { invalid } from "../../../lib/problem.ts";
import { type ApiConfig, apiOf } from "../../host/api.ts";
import { printExplanation } from "./print.ts";

export interface ExplainOptions {
  readonly client?: string;
  readonly subnet?: string;
  readonly country?: string;
  readonly subdivision?: string;
  readonly asn?: string;
  readonly draws?: string;
  readonly seed?: string;
  readonly matrix?: true;
  readonly json?: true;
}

export async function explain(config: ApiConfig, name: string, type: string, options: ExplainOptions): Promise<void> {
  const { body } = await apiOf(config).call<Explanation>("POST", "explain", bodyOf(name, type, options));
  process.stdout.write(options.json ? `${JSON.stringify(body, null, 2)}\n` : printExplanation(body));
}

function bodyOf(name: string, type: string, options: ExplainOptions): ExplainBody {
  const { client, subnet, country, subdivision, matrix } = options;
  const [asn, draws, seed] = (["asn", "draws", "seed"] as const).map((name) => numberOf(name, options));
  const location = defined({ country, subdivision, asn });
  return {
    ...{ name, type },
    ...defined({ client, subnet, draws, seed, matrix }),
    ...(Object.keys(location).length > 0 ? { location } : {}),
  };
}

function numberOf(option: "asn" | "draws" | "seed", options: ExplainOptions): number | undefined {
  const text = options[option];
  if (text !== undefined && !/^-?\d{1,15}$/.test(text)) throw invalid(`--${option}: "${text}" is not a whole number`);
  return text === undefined ? undefined : Number(text);
}

const defined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
