/** What to try with the demo: commands that work when pasted, each with what it shows. */
import { zone } from "./zone.ts";

/** How commands are written for the service that the demo is in. */
export interface Place {
  /** `http://127.0.0.1:8080/v1`. */
  readonly url: string;
  /** `@127.0.0.1 -p 5300`. */
  readonly dns: string;
  /** Sets `$KEY`. */
  readonly key: string;
  /** `npx fairlead explain`, with whatever it needs to find the service. */
  readonly explain: string;
  readonly sourceId: string;
  /** What clients in a network get for a name. */
  readonly answers: ReadonlyMap<string, string>;
}

export interface Chapter {
  readonly title: string;
  /** Commands, each with what it prints or what to look at. */
  readonly steps: readonly (readonly [command: string, shows: string])[];
}

const berlin = "198.51.100.0/24";
const boston = "192.0.2.0/24";
const places = `prefix,country,subdivision\\n${berlin},DE,BE\\n${boston},US,MA\\n`;

/** Names and client networks (RFC 5737) whose answers the service decides, by its geo files and by lot. */
export const questions = [
  ["geo", berlin],
  ["geo", boston],
  ["sticky", berlin],
  ["sticky", "198.51.100.77/32"],
  ["sticky", boston],
] as const;

export const questionKey = (label: string, subnet: string) => `${label} ${subnet}`;

export function guide({ url, dns, key, explain, sourceId, answers }: Place): Chapter[] {
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
      title: "Failover by feed: the first that is up",
      steps: [
        [dig("failover"), "203.0.113.1"],
        [push(false), "{}"],
        [dig("failover"), "203.0.113.2"],
        [`${explain} failover.${zone} A`, "which values of which feeds were read, and how old they are"],
        [push(true), "{}"],
        [dig("failover"), "203.0.113.1"],
      ],
    },
    {
      title: "Geographic steering: the nearest to the client",
      steps: [
        ...asked("geo"),
        [`${explain} geo.${zone} A --country JP`, "what a client in Japan gets: 203.0.113.13"],
        [`${explain} geo.${zone} A --matrix`, "what clients in each country get"],
        ...(isLocated
          ? []
          : ([
              [`printf '${places}' > demo-geo.csv`, "then start the service with --geo demo-geo.csv: dig shows it too"],
            ] as const)),
      ],
    },
    {
      title: "Steering by network: one answer for 198.51.100.0/24, another for everybody else",
      steps: [
        [dig("network", "198.51.100.0/24"), "203.0.113.21"],
        [dig("network", "192.0.2.0/24"), "203.0.113.22"],
        [`${explain} network.${zone} A --subnet 198.51.100.0/24`, "with the scope that the reply says"],
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
      title: "Over the API: explain, and what looks wrong with the zone",
      steps: [
        [curl("explain", { name: `geo.${zone}`, type: "A", location: { country: "DE" } }), "the same as JSON"],
        [curl(`zones/${zone}/lint`), `{"zone":"${zone}","records":6,"complete":true,"warnings":[]}`],
      ],
    },
  ];
}

/** Commands stand two blanks in, what they show six. */
export const printGuide = (chapters: readonly Chapter[]) =>
  chapters
    .map(({ title, steps }) =>
      [title, "", ...steps.flatMap(([command, shows]) => [`  ${command}`, ...(shows ? [`      ${shows}`] : [])])].join(
        "\n",
      ),
    )
    .join("\n\n");
