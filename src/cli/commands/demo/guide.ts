/** The guide to the demo: commands to paste, each with its expected output. */
import { zone } from "./zone.ts";

/** The service that the demo was loaded into, as the commands of the guide name it. */
export interface Target {
  /** `http://127.0.0.1:8080/v1`. */
  readonly url: string;
  /** `@127.0.0.1 -p 5300`. */
  readonly dns: string;
  /** Sets `$KEY`. */
  readonly key: string;
  /** `npx fairlead explain`, with the flags that lead it to the service. */
  readonly explain: string;
  readonly sourceId: string;
  /** Answers by name and client network (`questionKey`). */
  readonly answers: ReadonlyMap<string, string>;
}

export interface Chapter {
  readonly title: string;
  /** Commands, each with its output or a remark. */
  readonly steps: readonly (readonly [command: string, shows: string])[];
}

const berlin = "198.51.100.0/24";
const boston = "192.0.2.0/24";
const places = `prefix,country,subdivision\\n${berlin},DE,BE\\n${boston},US,MA\\n`;

/** Names and client networks (RFC 5737). Their answers depend on the service's geo files and on its hashing. */
export const questions = [
  ["geo", berlin],
  ["geo", boston],
  ["sticky", berlin],
  ["sticky", "198.51.100.77/32"],
  ["sticky", boston],
] as const;

export const questionKey = (label: string, subnet: string) => `${label} ${subnet}`;

export function guide({ url, dns, key, explain, sourceId, answers }: Target): Chapter[] {
  const dig = (label: string, subnet?: string) =>
    `dig ${dns} ${label}.${zone} A +short${subnet ? ` +subnet=${subnet}` : ""}`;
  const curl = (path: string, body?: object) =>
    `curl -sS -H "X-SERVICE-Key: $KEY" ${url}/${path}${body ? ` -d '${JSON.stringify(body)}'` : ""}`;
  const push = (up: boolean) => curl(`feed/${sourceId}`, { east: { up } });
  const answer = (label: string, subnet: string) => answers.get(questionKey(label, subnet)) ?? "";
  const asked = (label: string) =>
    questions
      .filter(([name]) => name === label)
      .map(([, subnet]) => [dig(label, subnet), answer(label, subnet)] as const);
  const isLocated = answer("geo", berlin) !== answer("geo", boston);
  return [
    { title: "The API key, for the commands below", steps: [[key, ""]] },
    {
      title: "Failover by feed: the first answer that is up",
      steps: [
        [dig("failover"), "203.0.113.1"],
        [push(false), "{}"],
        [dig("failover"), "203.0.113.2"],
        [`${explain} failover.${zone} A`, "the values read, their feeds and their age"],
        [push(true), "{}"],
        [dig("failover"), "203.0.113.1"],
      ],
    },
    {
      title: "Geographic steering: the answer nearest to the client",
      steps: [
        ...asked("geo"),
        [`${explain} geo.${zone} A --country JP`, "the answer for a client in Japan: 203.0.113.13"],
        [`${explain} geo.${zone} A --matrix`, "the answers for each country"],
        ...(isLocated
          ? []
          : ([
              [
                `printf '${places}' > demo-geo.csv`,
                "then restart the service with --geo demo-geo.csv, and dig also gives the nearest answers",
              ],
            ] as const)),
      ],
    },
    {
      title: "Steering by network: one answer for 198.51.100.0/24, another for all other clients",
      steps: [
        [dig("network", "198.51.100.0/24"), "203.0.113.21"],
        [dig("network", "192.0.2.0/24"), "203.0.113.22"],
        [`${explain} network.${zone} A --subnet 198.51.100.0/24`, "with the scope of the reply"],
      ],
    },
    {
      title: "Weights: 5 to 3 to 2",
      steps: [
        [`for n in $(seq 20); do ${dig("weights")}; done | sort | uniq -c`, "about 10, 6 and 4"],
        [`${explain} weights.${zone} A --draws 10000`, "close to 50, 30 and 20 %"],
      ],
    },
    {
      title: "Sticky: a network keeps its answer",
      steps: [...asked("sticky")],
    },
    {
      title: "Over the API: explain and lint",
      steps: [
        [curl("explain", { name: `geo.${zone}`, type: "A", location: { country: "DE" } }), "the same as JSON"],
        [curl(`zones/${zone}/lint`), `{"zone":"${zone}","records":7,"complete":true,"warnings":[]}`],
      ],
    },
  ];
}

/** Indents commands by two blanks and their output by six. */
export const printGuide = (chapters: readonly Chapter[]) =>
  chapters
    .map(({ title, steps }) =>
      [title, "", ...steps.flatMap(([command, shows]) => [`  ${command}`, ...(shows ? [`      ${shows}`] : [])])].join(
        "\n",
      ),
    )
    .join("\n\n");
