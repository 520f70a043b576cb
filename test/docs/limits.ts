/** docs/reference/limits.md, made from the numbers in the code. */

import { mostCells, mostValueOctets } from "../../src/answer/live/layout.ts";
import { metaBounds } from "../../src/answer/model/meta.ts";
import { mostAddresses } from "../../src/answer/model/selection.ts";
import { mostHops } from "../../src/answer/reply/workspace.ts";
import { keys } from "../../src/config/keys.ts";
import { mostRead } from "../../src/control/activity/listing/listing.ts";
import { formats } from "../../src/control/activity/reports/index.ts";
import { mostEntries, mostListed } from "../../src/control/activity/routes.ts";
import { draftOctets } from "../../src/control/changesets/drafts/routes.ts";
import { draftDays } from "../../src/control/changesets/drafts/schema.ts";
import {
  mostAnswerText as effectText,
  longest as effectTime,
  mostLinted,
} from "../../src/control/changesets/effect.ts";
import { changeSetOctets, changeSetValues } from "../../src/control/changesets/routes.ts";
import { mostOctets as undoneOctets } from "../../src/control/changesets/undo/undo.ts";
import {
  catalogsFollowed,
  fixedLimits,
  followedFor,
  memory,
  mostRefreshes,
} from "../../src/control/exchange/exchanger.ts";
import { notices } from "../../src/control/exchange/notify/sending.ts";
import { largestRrset, mostTypes } from "../../src/control/exchange/transfers/contents.ts";
import { mostDiffering } from "../../src/control/exchange/transfers/replace.ts";
import { mostShown } from "../../src/control/feeds/model/size.ts";
import { mostOctets as pushedOctets } from "../../src/control/feeds/pushes/merging.ts";
import { mostShared } from "../../src/control/feeds/pushes/pushes.ts";
import { mostNoteOctets } from "../../src/control/feeds/pushes/recent.ts";
import { mostKept } from "../../src/control/feeds/pushes/recent-store.ts";
import { mostDestinations, pushKeys, pushOctets } from "../../src/control/feeds/routes.ts";
import { mostConfigOctets, mostTableOctets } from "../../src/control/feeds/types/sourcetype.ts";
import { limitRows } from "../../src/control/kit/limits.ts";
import { mostText } from "../../src/control/kit/listing.ts";
import { mostFiles, mostMade, mostOctets as reportOctets } from "../../src/control/kit/reports.ts";
import { budgets as attempts } from "../../src/control/people/credentials/attempts.ts";
import { longest as passwordLength } from "../../src/control/people/credentials/password.ts";
import { mostWaiting as signInQueue } from "../../src/control/people/signin/password-queue.ts";
import { lifetimes } from "../../src/control/people/signin/sessions.ts";
import { keylessRate } from "../../src/control/service.ts";
import { mostText as drawnText } from "../../src/control/steering/explain/draws.ts";
import { mostElements } from "../../src/control/steering/explain/present.ts";
import { explainOctets, mostMatrixDraws } from "../../src/control/steering/explain/routes.ts";
import { mostDraws } from "../../src/control/steering/explain/schema.ts";
import { simulationSlots } from "../../src/control/steering/explain/simulations.ts";
import { longest as simulated } from "../../src/control/steering/explain/work.ts";
import { mostRecords, mostWarnings } from "../../src/control/steering/lint/zone.ts";
import { mostRead as marksRead } from "../../src/control/usage/marks.ts";
import { mostRepeated } from "../../src/control/write/idempotency.ts";
import { fileLimits as files } from "../../src/control/zonefiles/reading/limits.ts";
import { lookSlots } from "../../src/control/zones/delegation/delegations.ts";
import { mostServers, mostAddresses as serverAddresses } from "../../src/control/zones/delegation/own.ts";
import { mostOctets as historyOctets } from "../../src/control/zones/history/past.ts";
import { zonePage } from "../../src/control/zones/list/routes.ts";
import { recordPage } from "../../src/control/zones/listing.ts";
import {
  mostRrsetOctets,
  mostSteeringAtName,
  mostSteeringOctets,
} from "../../src/control/zones/model/record/fields.ts";
import { mostTagLength } from "../../src/control/zones/model/record/tags.ts";
import { mostFound } from "../../src/control/zones/search/routes.ts";
import { mostSearched } from "../../src/control/zones/search/search.ts";
import { mostEntryOctets } from "../../src/dns/zonefile/entries.ts";
import { mostLines } from "../../src/dns/zonefile/generate.ts";
import { mostWaiting as waitingChanges } from "../../src/edge/follow/state.ts";
import { noticeSlots } from "../../src/edge/serve/notices.ts";
import { mostUdp } from "../../src/edge/serve/serve.ts";
import { signatureTime } from "../../src/edge/serve/signing.ts";
import { outgoingSlots } from "../../src/edge/transfer/transfers.ts";
import { defaultLimits as json } from "../../src/http/body/json.ts";
import { bodyRooms, mostSmall } from "../../src/http/body/room.ts";
import { mostState } from "../../src/http/conditions.ts";
import { networkBuckets } from "../../src/http/message/address.ts";
import { mostUnread, unreadAnswers } from "../../src/http/message/unread.ts";
import { defaultMostBody, openMostBody } from "../../src/http/route/endpoint.ts";
import { mostCompared } from "../../src/http/route/spelling.ts";
import { mostWarnings as replyWarnings } from "../../src/http/route/warnings.ts";
import { defaultLimits as http } from "../../src/http/server.ts";
import { usualFloor } from "../../src/lib/fair/measured-input.ts";
import type { SlotLimits } from "../../src/lib/fair/slots.ts";
import { unreadLimit } from "../../src/net/connection/tcp-connection.ts";
import { turn } from "../../src/net/connection/turns.ts";
import { pieceOctets } from "../../src/net/https/http1.ts";
import { mostStreams } from "../../src/net/https/http2.ts";
import { defaults as streams } from "../../src/net/tcp.ts";
import { recordOctets } from "../../src/net/tls/tls.ts";
import { shareLimits } from "../../src/storage/connection/shares.ts";
import { defaultPoolSize } from "../../src/storage/db.ts";
import { table } from "./table.ts";

type Row = readonly [what: string, most: string];

const count = (n: number, unit = "") => `${n.toLocaleString("en-US")}${unit && ` ${unit}`}`;
const megabytes = (n: number) => `${n} MiB`;
/** As text, in the largest unit that divides the size. */
const octets = (n: number) =>
  n % 2 ** 30 === 0
    ? `${n / 2 ** 30} GiB`
    : n % 2 ** 20 === 0
      ? `${n / 2 ** 20} MiB`
      : n % 1024 === 0 && n > 4096
        ? `${n / 1024} KiB`
        : count(n, "octets");
/** As text, in the largest unit that divides the time. */
function time(seconds: number): string {
  const [size, unit] = (
    [
      [86_400, "day"],
      [3600, "hour"],
      [60, "minute"],
      [1, "second"],
    ] as const
  ).find(([unit]) => seconds % unit === 0)!;
  const n = seconds / size;
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}
const rate = ({ limit, period }: { limit: number; period: number }) =>
  `${count(limit)} every ${time(period).replace(/^1 /, "")}`;
const tries = ({ atOnce, every }: { atOnce: number; every: number }) =>
  `${count(atOnce)} at once, then one every ${time(every / 1000).replace(/^1 /, "")}`;

const slowness = `${time(usualFloor.over / 1000)} behind ${octets(usualFloor.octets)} a second`;

const sections: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  ["An account", Object.values(limitRows).map(({ what, most, unit }): Row => [what, count(most, unit)])],
  [
    "Records",
    [
      ["all answers of a record together, in DNS wire format: the largest record", octets(mostRrsetOctets)],
      [
        "filters, regions and metadata of a record with filters, as JSON; of all records of a name",
        `${octets(mostSteeringOctets)}; ${octets(mostSteeringAtName)}`,
      ],
      ["countries, states, prefixes or AS numbers in one metadata value", count(metaBounds.listed)],
      ["`note`", count(metaBounds.note, "characters")],
      ["`additional_metadata`, as JSON", octets(metaBounds.additional)],
      ["name or value of a tag", count(mostTagLength, "characters")],
      ["addresses that `ipv4_prefix_shuffle` makes for one reply", count(mostAddresses)],
    ],
  ],
  [
    "Requests",
    [
      ["requests of an account, for each method", `${rate(keys.rateLimit.fallback)} (\`--rate-limit\`)`],
      [
        "requests of an address (an IPv6 /64) without a valid key; of an IPv6 /48",
        `${rate(keylessRate)}; ${networkBuckets} times as many`,
      ],
      ["body; body of a request that needs no key", `${octets(defaultMostBody)}; ${octets(openMostBody)}`],
      [
        "levels of JSON; values; keys of all objects in a body",
        `${json.depth}; ${count(json.values)}; ${count(json.keys)}`,
      ],
      [
        "warnings of a reply; names in a body that are compared with declared fields for hints",
        `${replyWarnings}; ${count(mostCompared)}`,
      ],
      [
        "connections to the API; once half of them are open, of one IPv4 address or IPv6 /64; of an IPv6 /48",
        `${count(http.connections)}; ${count(http.share)}; ${count(http.connections / 2)}`,
      ],
      ["time to send a request; to send a file", `${time(http.request / 1000)}; ${time(http.upload / 1000)}`],
      ["answers of an account that are not read yet, before its requests are refused", octets(mostUnread)],
      ["body of a change set; its values", `${octets(changeSetOctets)}; ${count(changeSetValues)}`],
      ["body of a draft; how long a draft is kept after its last change", `${octets(draftOctets)}; ${draftDays} days`],
      ["history of a change that can be undone", octets(undoneOctets)],
      [
        "dry run of a change set: time; records; text of changed answers",
        `${time(effectTime / 1000)}; ${count(mostLinted)}; ${octets(effectText)}`,
      ],
      ["page of zones; of records", `${count(zonePage)}; ${count(recordPage)}`],
      ["text of one page", octets(mostText)],
      ["name servers of a zone whose delegation is compared; addresses of one", `${mostServers}; ${serverAddresses}`],
      [
        "results of a search; zones and records that one call of it reads",
        `${count(mostFound)}; ${count(mostSearched)}`,
      ],
      ["history that one request reads", octets(historyOctets)],
      ["a reply that is repeated for an `Idempotency-Key`", octets(mostRepeated)],
      ["the present state in a refusal of `If-Match`", octets(mostState)],
    ],
  ],
  [
    "Zone files",
    [
      ["a zone file", `${megabytes(keys.importLimit.fallback)} (\`--import-limit\`)`],
      ["one entry of it", octets(mostEntryOctets)],
      ["records that `$GENERATE` makes in one file", count(mostLines)],
      ["records of the same name and type that are scattered in the file", count(files.scattered)],
      ["errors and warnings in a reply", count(files.messages)],
      ["an exported file", octets(files.exported)],
      ["how long a finished import can be looked up", time(files.kept)],
    ],
  ],
  [
    "Transfers from other servers",
    [
      ["a zone", `${megabytes(keys.transferLimit.fallback)} (\`--transfer-limit\`)`],
      ["answers of one name and type; types at one name", `${octets(largestRrset)}; ${mostTypes}`],
      [
        "time for one message; for the whole transfer",
        `${time(keys.transferTime.fallback.message)}; ${time(keys.transferTime.fallback.transfer)} (\`--transfer-time\`)`,
      ],
      [
        "a zone that is held in memory while it is transferred",
        `${count(fixedLimits.held.records, "records")}, ${octets(fixedLimits.held.octets)}`,
      ],
      [
        "all zones that are held in memory; those of one account",
        `${count(memory.records.all)} records, ${octets(memory.octets.all)}; ${count(memory.records.own)} records, ${octets(memory.octets.own)}`,
      ],
      ["records that differ, before the zone is replaced as a whole", count(mostDiffering.records)],
    ],
  ],
  [
    "Feeds",
    [
      ["body of a push; its keys", `${octets(pushOctets)}; ${count(pushKeys)}`],
      ["values of one feed, as JSON", octets(mostTableOctets)],
      ["configuration of a data source or feed, as JSON", octets(mostConfigOctets)],
      [
        "feeds of one source in a reply; a page of sources with their feeds; destinations in a reply",
        `${octets(mostShown)}; ${octets(mostText)}; ${count(mostDestinations)}`,
      ],
      ["values for all feeds that a push reaches", octets(pushedOctets)],
      [
        "feeds, and octets of values, that pushes of an account write together with those of others; more are stored apart",
        `${count(mostShared.feeds)}; ${octets(mostShared.octets)}`,
      ],
      [
        "last pushes that are kept of a source or feed; octets of the values that are kept with them",
        `${mostKept}; ${count(mostNoteOctets)}`,
      ],
      ["values that an edge holds; one value there", `${count(mostCells)}; ${octets(mostValueOctets)}`],
    ],
  ],
  [
    "Explain, lint and the activity log",
    [
      [
        "draws of explain; for each country with `matrix`; text of all different answers",
        `${count(mostDraws)}; ${mostMatrixDraws}; ${octets(drawnText)}`,
      ],
      ["body of a request to explain; its CPU time", `${octets(explainOctets)}; ${time(simulated / 1000)}`],
      ["elements of a list that explain shows", count(mostElements)],
      ["requests to explain of an account that wait", count(simulationSlots.waiting.own)],
      ["records that lint reads; warnings that it returns", `${count(mostRecords)}; ${count(mostWarnings)}`],
      ["entries of one activity listing; its text", `${count(mostEntries)}; ${octets(mostListed)}`],
      ["newest entries that are searched for a key that sees few of them", count(mostRead)],
      ["changes that are read for the marks of one request", count(marksRead)],
      ...Object.entries(formats)
        .filter(([name]) => name !== "xslx")
        .map(([name, { most }]): Row => [`entries of a report as ${name}`, count(most)]),
      ["a report; reports of all accounts that are made at the same time", `${octets(reportOctets)}; ${mostMade}`],
    ],
  ],
  [
    "Keys and signing in",
    [
      ["length of a password", count(passwordLength, "characters")],
      [
        "a session: unused; in all; before the second factor",
        `${time(lifetimes.idle)}; ${time(lifetimes.total)}; ${time(lifetimes.incomplete)}`,
      ],
      ["tries at a login name, or at its second factor", tries(attempts.login)],
      ["tries of a session to prove its password or code", tries(attempts.proof)],
      [
        "tries from an address (an IPv6 /64); from an IPv6 /48",
        `${tries(attempts.address)}; ${networkBuckets} times as many`,
      ],
      ["links to set a password, for one user", tries(attempts.mail)],
      ["invitations of an account", tries(attempts.invitation)],
      ["sign-ins that wait at the same time", count(signInQueue)],
    ],
  ],
  [
    "DNS",
    [
      ["a reply over UDP", octets(mostUdp)],
      ["steps of a chain of CNAME and DNAME", count(mostHops)],
      [
        "connections to a worker; from one IPv4 address or IPv6 /64",
        `${count(streams.connections)}; ${count(streams.perAddress)}`,
      ],
      ["connection that is closed for a further one", "the quietest of the IPv4 address or IPv6 /48 with the most"],
      [
        "idle time of a connection; time for one message",
        `${time(streams.idle / 1000)}; ${time(streams.message / 1000)}`,
      ],
      [
        "answers over one connection of TCP or TLS that are not read yet, beside what the system holds",
        octets(unreadLimit),
      ],
      ["answers of one turn of a connection, while others wait", `${octets(turn.octets)}, ${turn.time} milliseconds`],
      [
        "records of TLS that are read in one turn; requests of HTTP/1.1",
        `${octets(recordOctets)}; ${octets(pieceOctets)}`,
      ],
      ["requests over one connection of HTTP/2 at the same time", count(mostStreams)],
      [
        "equal answers a second to one client network over UDP; errors",
        `${keys.dnsEqualLimit.fallback} (\`--dns-equal-limit\`); ${keys.dnsErrorLimit.fallback} (\`--dns-error-limit\`)`,
      ],
      [
        "time of a worker for signatures, before signed queries come last",
        `${100 * signatureTime.share} percent, and ${signatureTime.most} milliseconds at once`,
      ],
      ["changes that wait at an edge whose memory limit is reached", count(waitingChanges)],
    ],
  ],
];

const shares = shareLimits(defaultPoolSize);
const half = (n: number) => ({ all: n, own: Math.ceil(n / 2) });
const refreshes = keys.transfersIn.fallback;

/** Everything that shares slots of `lib/fair`. */
const slots: readonly (readonly [what: string, limits: SlotLimits])[] = [
  ["connections to the store", shares.connections],
  ["zones of which an edge has passed on a NOTIFY in the last 0.2 seconds; others wait", noticeSlots],
  ["transactions among them", shares.transactions],
  ["transactions that may take long, such as change sets", shares.long],
  ["reads of an account that has taken more than half of the time, and 2 seconds, beside others", shares.costly],
  ["imports that are being sent, wait or run", files.imports],
  ["imports that run, slice by slice in turn", files.importsRunning],
  ["requests to explain that run", simulationSlots],
  ["exports that are being written", files.exportsWritten],
  ["exports that clients have not fetched yet", files.exports],
  ["reports that are being written", { all: mostMade, own: 1 }],
  ["reports that clients have not fetched yet", mostFiles],
  ["zones whose delegation requests look at", lookSlots],
  ["zones whose primaries are asked (`--transfers-in`)", { ...half(refreshes), most: refreshes * mostRefreshes }],
  ["zones among them that are too large for memory", memory.large],
  ["catalogs that are followed", catalogsFollowed],
  ["notices to secondaries", notices],
  [`octets of bodies of up to ${octets(mostSmall)}, by account, or by address without a key`, bodyRooms.small],
  ["octets of larger bodies", bodyRooms.large],
  ["octets of answers that are not read yet, by account, or by address without a key", unreadAnswers],
  ["transfers from one edge, by account of the zone (`--transfers-out`)", outgoingSlots(keys.transfersOut.fallback)],
];

const slotRows = slots.map(([what, { all, own, most = all }]) => [what, ...[all, own, most].map((n) => count(n))]);

export const limitsPage = () => `# Limits

\`npm run docs\` writes this page from the numbers in the code. A refusal names the limit that was reached. Limits with a flag can be changed; the others are fixed.

${sections.map(([title, rows]) => `## ${title}\n\n${table(["what", "at most"], rows)}`).join("\n")}
## Fair sharing

Concurrency slots with a global and a per-account limit; accounts below their fair share may exceed the global limit up to a hard maximum. The fair share is the global limit divided by the number of accounts that hold slots or ask for one; it is at least 1.

If an account below its share finds no slot, a sender or reader of another account that has fallen too far behind (${slowness}) loses its slot, as does a catalog that has been followed for ${time(followedFor / 1000)}.

Requests that wait take turns by account, and by address within an account.

${table(["at the same time", "global limit", "of one account", "hard maximum"], slotRows)}`;
