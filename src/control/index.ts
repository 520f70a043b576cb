/** Every endpoint of the API, in the order of the reference. */

import type { Route } from "../http/route/route.ts";
import type { Right } from "./access/rights.ts";
import { activityRoutes } from "./activity/routes.ts";
import { attentionRoutes } from "./attention/routes.ts";
import { draftRoutes } from "./changesets/drafts/routes.ts";
import { changeRoutes } from "./changesets/routes.ts";
import { undoRoutes } from "./changesets/undo/routes.ts";
import { demoRoutes } from "./demo/routes.ts";
import { importRoutes, type TransferServices } from "./exchange/imports/routes.ts";
import { transferRoutes } from "./exchange/routes.ts";
import { type FeedServices, feedRoutes } from "./feeds/routes.ts";
import { feedStatusRoutes } from "./feeds/status/routes.ts";
import type { ReportServices } from "./kit/reports.ts";
import { contactRoutes } from "./people/account/contact.ts";
import { usageWarningRoutes } from "./people/account/usagewarnings.ts";
import { allowListRoutes } from "./people/allowlists/routes.ts";
import { effectiveRoutes } from "./people/effective/routes.ts";
import { keyRoutes } from "./people/keys/routes.ts";
import { keySecretRoutes } from "./people/keys/secret-routes.ts";
import type { SignInServices } from "./people/signin/context.ts";
import { factorRoutes, requirementRoutes } from "./people/signin/factor-routes.ts";
import { signInRoutes } from "./people/signin/routes.ts";
import { sessionRoutes } from "./people/signin/session-routes.ts";
import { teamRoutes } from "./people/teams/routes.ts";
import { userRoutes } from "./people/users/routes.ts";
import { viewRoutes } from "./people/views/routes.ts";
import { comingRoutes } from "./steering/coming/routes.ts";
import { type ExplainServices, explainRoutes } from "./steering/explain/routes.ts";
import { lintRoutes } from "./steering/lint/routes.ts";
import { registryRoutes } from "./steering/registries.ts";
import type { SystemServices } from "./system/installation.ts";
import { systemRoutes } from "./system/routes.ts";
import { markRoutes } from "./usage/marks-routes.ts";
import { mixRoutes } from "./usage/mix.ts";
import { statsRoutes } from "./usage/routes.ts";
import { tailRoutes } from "./usage/tail/routes.ts";
import { topRoutes } from "./usage/top.ts";
import type { Ctx } from "./write/context.ts";
import type { ZoneFileServices } from "./zonefiles/jobs.ts";
import { zoneFileRoutes } from "./zonefiles/routes.ts";
import { type ContestServices, contestRoutes } from "./zones/contest-routes.ts";
import type { DelegationServices } from "./zones/delegation/delegations.ts";
import { delegationRoutes } from "./zones/delegation/routes.ts";
import { deletedRoutes } from "./zones/deleted/routes.ts";
import { dnssecRoutes } from "./zones/dnssec.ts";
import { zoneListRoutes } from "./zones/list/routes.ts";
import { recordRoutes } from "./zones/records/routes.ts";
import { zoneRoutes } from "./zones/routes.ts";
import { searchRoutes } from "./zones/search/routes.ts";
import { tsigRoutes } from "./zones/tsig/routes.ts";
import { versionRoutes } from "./zones/versions/routes.ts";

/** The services that handlers find in their context besides the common ones. */
export type Services = SignInServices &
  ZoneFileServices &
  TransferServices &
  ReportServices &
  FeedServices &
  ExplainServices &
  ContestServices &
  DelegationServices &
  SystemServices;

export const routes: readonly Route<Right, Ctx & Services>[] = [
  ...zoneListRoutes,
  ...zoneRoutes,
  ...dnssecRoutes,
  ...delegationRoutes,
  ...recordRoutes,
  ...versionRoutes,
  ...deletedRoutes,
  ...contestRoutes,
  ...zoneFileRoutes,
  ...importRoutes,
  ...feedRoutes,
  ...feedStatusRoutes,
  ...explainRoutes,
  ...lintRoutes,
  ...registryRoutes,
  ...demoRoutes,
  ...comingRoutes,
  ...searchRoutes,
  ...statsRoutes,
  ...attentionRoutes,
  ...topRoutes,
  ...mixRoutes,
  ...tailRoutes,
  ...markRoutes,
  ...changeRoutes,
  ...undoRoutes,
  ...draftRoutes,
  ...transferRoutes,
  ...tsigRoutes,
  ...userRoutes,
  ...viewRoutes,
  ...keyRoutes,
  ...keySecretRoutes,
  ...teamRoutes,
  ...effectiveRoutes,
  ...contactRoutes,
  ...usageWarningRoutes,
  ...allowListRoutes,
  ...requirementRoutes,
  ...activityRoutes,
  ...systemRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...factorRoutes,
];
