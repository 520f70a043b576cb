/** Starts the control plane: store, first account, sequencer, and the API's server. */

import { join } from "node:path";
import type { Registry } from "prom-client";
import { Portal, type PortalSource } from "../http/pages/portal.ts";
import { createServer, type Extra } from "../http/server.ts";
import { Egress } from "../lib/address/egress.ts";
import { type Clock, seconds, systemClock } from "../lib/clock.ts";
import { Traffic } from "../lib/fair/yield.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { Secrets } from "../lib/secrets.ts";
import { secretsFrom } from "../lib/secrets.ts";
import type { SmtpServer } from "../lib/text/email.ts";
import type { PublicNames } from "../net/client/public-names.ts";
import { openStore, type Store } from "../storage/db.ts";
import { masterKeysOf } from "../storage/secrets/master-key.ts";
import { Sequencer } from "../storage/sequencer/sequencer.ts";
import { Keys } from "./access/keys.ts";
import { Attention, type Pace } from "./attention/attention.ts";
import { bootstrap, type FirstSteps, firstSteps } from "./bootstrap.ts";
import { CutOffZones } from "./exchange/cut-off.ts";
import { type ExchangerOptions, fixedLimits, ZoneExchanger } from "./exchange/exchanger.ts";
import { DeferredFeeds } from "./feeds/pushes/deferred.ts";
import { Pushes } from "./feeds/pushes/pushes.ts";
import { RecentPushes } from "./feeds/pushes/recent.ts";
import { routes } from "./index.ts";
import { KeptLimits } from "./kept.ts";
import { Reports } from "./kit/reports.ts";
import { fileTransport, mailDirectory } from "./people/mail/file-transport.ts";
import { MailSender } from "./people/mail/sender.ts";
import { smtpTransport } from "./people/mail/smtp-transport.ts";
import { findFirstAccount } from "./people/members/first-store.ts";
import { type FirstToken, makeFirstToken } from "./people/operator/first-link.ts";
import { DelayedWork } from "./people/signin/delayed-work.ts";
import { linkPages } from "./people/signin/page/page.ts";
import { PasswordQueue } from "./people/signin/password-queue.ts";
import { Sessions } from "./people/signin/sessions.ts";
import { createService } from "./service.ts";
import { locationsBy } from "./steering/explain/locations.ts";
import { Simulations } from "./steering/explain/simulations.ts";
import { Alive } from "./system/alive.ts";
import type { Setting } from "./system/installation.ts";
import { type RetentionPeriods, startTrimming } from "./upkeep.ts";
import type { WriteOptions } from "./write/context.ts";
import { newMemory } from "./write/memory.ts";
import type { Settings } from "./write/settings.ts";
import { Imports } from "./zonefiles/jobs.ts";
import { ZoneContest } from "./zones/contest.ts";
import { Delegations } from "./zones/delegation/delegations.ts";
import { UndelegatedNames } from "./zones/deleted/undelegated.ts";
import { ZoneDigests } from "./zones/digests/digests.ts";
import { nameTypes } from "./zones/model/record/naming.ts";

type Given = Pick<Settings, "networks" | "publicUrl" | "edition" | "allowSuffix" | "rate">;

export interface ControlOptions extends RetentionPeriods, Given {
  readonly storeUrl: string;
  /** Whether the store's server runs on this machine for this process alone. */
  readonly isStoreEmbedded: boolean;
  /** The name of this process in leases; a new one when left out. */
  readonly holder?: string | undefined;
  readonly log: Log;
  /** `fd` is the socket, if it was inherited. */
  readonly listen: { readonly address: string; readonly port: number; readonly fd?: number | undefined };
  /** The directory in which the first start writes credentials.json. */
  readonly directory: string;
  readonly masterKeyFile: string;
  /** The first key's string; generated when undefined. */
  readonly apiKey: string | undefined;
  /** The most octets of an uploaded zone file. */
  readonly importLimit: number;
  /** Days for which a deleted zone can be restored. */
  readonly keepDeleted: number;
  /** Percent of a zone's records, or an account's zones, above which deletions must be confirmed. */
  readonly deletionGuard: number;
  /** Whether the guard against deletions also applies to single deletions by keys. */
  readonly guardsSingle: boolean;
  /** The public DNS, as a resolver sees it; without it, deleted zones keep their names for `keepDeleted` days, and no delegation is known. */
  readonly publicNames?: PublicNames | undefined;
  /** Prefixes besides public addresses to which zone transfers may connect. */
  readonly egressAllow: readonly string[];
  /** Whether the first account's transfers may also connect to this machine and private networks. */
  readonly isPrivateOpen: boolean;
  /** The limits of a transfer from another server. */
  readonly pullLimits: ExchangerOptions["limits"];
  /** Zones whose primaries are asked at the same time. */
  readonly refreshes: number;
  /** Addresses on which the service listens besides the address of the API, and the address of its store. */
  readonly own: readonly { readonly address: string; readonly port: number }[];
  /** The server that takes mails; without it mails are written to files in the directory. */
  readonly smtp: SmtpServer | undefined;
  /** The sender of mails. */
  readonly mailFrom: string;
  readonly trustedProxies: readonly string[];
  /** The public URL if it is configured: links in replies begin with it. */
  readonly linkBase: string | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly version: string;
  /** Every key of the configuration, for the operator. */
  readonly configuration: readonly Setting[];
  /** Health and metrics. */
  readonly extra: readonly Extra[];
  /** Geo files, which explain reads as the edges do. */
  readonly geo: readonly string[];
  readonly registry: Registry;
  /** Milliseconds between two rounds in which all zones are read for edges to compare with. */
  readonly digestEvery?: number;
  /** Where the portal's pages are; undefined for a service without the portal. */
  readonly portal?: PortalSource | undefined;
  /** How often what needs attention is looked for; for tests. */
  readonly attentionPace?: Pace;
  /** Checks replies against their schemas; for tests. */
  readonly strictReplies?: boolean;
}

export interface Control {
  /** The address of the API. */
  readonly address: { readonly address: string; readonly port: number };
  readonly store: Store;
  firstSteps(): Promise<FirstSteps>;
  /** Makes the token of the link with which the first user signs in, if that user has no password. */
  firstToken(): Promise<FirstToken | undefined>;
  /** The number of zones with a primary or secondary that the settings do not allow. */
  countCutOff(): Promise<number>;
  /** Takes no new connections, and lets clients end the open ones; `close` follows. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

/** The `info` section of the API's OpenAPI document. */
export const apiInfo = (version: string) => ({
  title: "Fairlead",
  version,
  description: "Managed DNS: zones and records, and the keys that may change them.",
});

export async function startControl(options: ControlOptions): Promise<Control> {
  await using parts = new AsyncDisposableStack();
  const { log, directory } = options;
  const base = await openBase(options, parts);
  const { store, secrets, clock } = base;
  const sequencer = parts.adopt(new Sequencer(store, { log, clock }), closed);
  parts.adopt(new Alive(store, options), closed);
  parts.defer(startTrimming(store, clock, options));
  const started = await startServices(options, base, parts);
  const writing = writeOptions(options, base, started, () => sequencer.wake());
  const { keys, traffic, services } = started;
  const { writers } = writing.memory;
  parts.adopt(new KeptLimits({ store, clock, log, writers, registry: options.registry }), closed);
  const { publicNames: names } = options;
  const contest = new ZoneContest({ service: writing, names, log });
  parts.adopt(new Attention({ service: writing, traffic, log, pace: options.attentionPace }), closed);
  const { random, settings } = writing;
  const delegations = parts.adopt(new Delegations({ store, clock, settings, names, log }), closed);
  const service = createService({ ...writing, keys, traffic, services: { ...services, contest, delegations } });
  const { pullLimits: limits, refreshes } = options;
  if (names) parts.adopt(new UndelegatedNames({ store, clock, names, log }), closed);
  parts.adopt(new ZoneDigests({ store, url: options.storeUrl, log, every: options.digestEvery }), closed);
  const cutOff = new CutOffZones(writing, log);
  parts.adopt(new ZoneExchanger({ service: writing, traffic, random, log, limits, refreshes }), closed);
  const server = parts.adopt(serverOf(options, service, settings.publicUrl), closed);
  const { address: host, port: wanted, fd } = options.listen;
  // ready also means that what an earlier process acknowledged is on its way to the edges
  await sequencer.caughtUp();
  const { address, port } = await server.listen(fd === undefined ? { host, port: wanted } : { fd });
  cutOff.report().catch((error) => log.warn({ reason: String(error) }, "the partners of zones could not be checked"));
  const running = parts.move();
  return {
    address: { address, port },
    store,
    firstSteps: () => firstSteps({ store, secrets, directory }),
    firstToken: () => makeFirstToken(store, { secrets, now: seconds(clock) }),
    countCutOff: () => cutOff.count(),
    retire: () => server.retire(),
    close: () => running.disposeAsync(),
  };
}

/** Closes a part of the control plane. */
const closed = async (part: { close(): unknown }): Promise<void> => {
  await part.close();
};

interface Base {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly firstAccount: string | undefined;
}

/** Opens the store, creates the first account, and reads the secrets. */
async function openBase(options: ControlOptions, parts: AsyncDisposableStack): Promise<Base> {
  const { log, clock = systemClock, directory, apiKey, masterKeyFile } = options;
  const { storeUrl, isStoreEmbedded: isEmbedded, holder } = options;
  const store = parts.adopt(await openStore(storeUrl, { log, isEmbedded, holder }), closed);
  const readSecrets = async () => secretsFrom(await masterKeysOf(store, masterKeyFile));
  await bootstrap({ store, secrets: await readSecrets(), clock, directory, apiKey, log });
  await nameTypes(store);
  const firstAccount = await findFirstAccount(store.db);
  // read again: a control process that started at the same time may have been the first, with another key
  return { store, secrets: await readSecrets(), clock, firstAccount };
}

/** Starts the services of the folders beside this file, in the order of their dependencies. */
async function startServices(options: ControlOptions, { store, secrets, clock }: Base, parts: AsyncDisposableStack) {
  const { log, directory, registry, geo } = options;
  const keys = parts.adopt(new Keys({ store, secrets, clock, log }), closed);
  const sessions = parts.adopt(new Sessions({ store, secrets, clock, log }), closed);
  const delayedWork = parts.adopt(new DelayedWork(log), closed);
  const transport = transportOf(options);
  const mailSender = parts.adopt(new MailSender({ store, secrets, clock, log, transport, registry }), closed);
  const deferred = parts.adopt(new DeferredFeeds({ store, clock, log }), closed);
  const recent = parts.adopt(new RecentPushes({ store, clock, log }), closed);
  const pushes = new Pushes({ store, clock, deferred, recent });
  const traffic = new Traffic();
  const imports = parts.adopt(
    new Imports({ store, clock, log, directory: join(directory, "imports"), traffic }),
    closed,
  );
  const { locate } = parts.adopt(await locationsBy(geo, log), closed);
  const { storeUrl, isStoreEmbedded } = options;
  const simulations = parts.adopt(new Simulations({ storeUrl, isStoreEmbedded, logLevel: log.level }), closed);
  const passwordQueue = new PasswordQueue();
  const reports = new Reports(directory);
  const transferLimits = { ...fixedLimits, ...options.pullLimits };
  const installation = {
    ...{ holder: store.holder, isStoreEmbedded, directory },
    configuration: options.configuration,
  };
  const services = {
    ...{ sessions, passwordQueue, delayedWork, pushes, imports, transferLimits },
    ...{ reports, locate, simulations, installation },
  };
  return { keys, mailSender, traffic, services };
}

type Started = Awaited<ReturnType<typeof startServices>>;

const writeOptions = (
  options: ControlOptions,
  { store, secrets, clock, firstAccount }: Base,
  { keys, mailSender, services }: Started,
  wake: () => void,
): WriteOptions => ({
  store,
  secrets,
  settings: settingsOf(options, firstAccount),
  memory: newMemory(store, clock, options.log),
  clock,
  random: options.random ?? Math.random,
  notify: {
    callers() {
      keys.forget();
      services.sessions.forget();
    },
    mail: () => mailSender.wake(),
    feeds: () => services.pushes.announce(),
  },
  wake,
});

const serverOf = (options: ControlOptions, service: ReturnType<typeof createService>, publicUrl: string) =>
  createServer({
    routes,
    service,
    publicUrl,
    linkBase: options.linkBase,
    log: options.log,
    clock: options.clock ?? systemClock,
    trustedProxies: options.trustedProxies,
    info: apiInfo(options.version),
    extra: options.extra,
    pages: linkPages(options.portal !== undefined),
    portal: options.portal && new Portal(options.portal),
    strictReplies: options.strictReplies ?? false,
    uploadLimit: options.importLimit,
    registry: options.registry,
  });

/** The options with which a command of the operator writes as the service does. */
export const commandService = (
  options: Parameters<typeof settingsOf>[0],
  { store, secrets }: Pick<WriteOptions, "store" | "secrets">,
  log: Log,
): WriteOptions => ({
  ...{ store, secrets, settings: settingsOf(options, undefined), memory: newMemory(store, systemClock, log) },
  ...{ clock: systemClock, random: Math.random, wake() {} },
  notify: { callers() {}, mail() {}, feeds() {} },
});

function settingsOf(
  options: Omit<ControlOptions, "log" | "registry" | "extra">,
  firstAccount: string | undefined,
): Settings {
  const { edition, networks, allowSuffix, rate, listen, egressAllow, isPrivateOpen, publicUrl, own } = options;
  const privateFor = isPrivateOpen ? firstAccount : undefined;
  const { keepDeleted, deletionGuard, guardsSingle } = options;
  return {
    edition,
    networks,
    allowSuffix,
    rate,
    keepDeleted: keepDeleted * 86_400,
    deletionGuard: { share: deletionGuard / 100, scope: guardsSingle ? "single" : "many" },
    egress: new Egress({ allow: egressAllow, privateFor, own: [...own, listen] }),
    publicUrl,
  };
}

const transportOf = ({ smtp, mailFrom, directory }: ControlOptions) =>
  smtp ? smtpTransport(smtp, mailFrom) : fileTransport(mailDirectory(directory), mailFrom);
