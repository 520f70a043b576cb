/** Every endpoint of the API, in the order of the reference. */
import { keyRoutes } from "./account/apikeys.ts";
import { contactRoutes } from "./account/contact.ts";
import { effectiveRoutes } from "./account/effective.ts";
import { keySecretRoutes } from "./account/secrets.ts";
import { teamRoutes } from "./account/teams.ts";
import { usageWarningRoutes } from "./account/usagewarnings.ts";
import { userRoutes } from "./account/users.ts";
import { allowListRoutes } from "./account/whitelist.ts";
import { activityRoutes } from "./activity/routes.ts";
import { catalogRoutes } from "./catalog.ts";
import { changeRoutes } from "./changes.ts";
import { changeSetRoutes } from "./changesets/routes.ts";
import { deletedRoutes } from "./deleted/routes.ts";
import { explainRoutes } from "./explain/routes.ts";
import { feedRoutes } from "./feeds/routes.ts";
import { lintRoutes } from "./lint/routes.ts";
import { recordRoutes } from "./records/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { factorRoutes, requirementRoutes } from "./signin/factor-routes.ts";
import { signInRoutes } from "./signin/routes.ts";
import { sessionRoutes } from "./signin/session-routes.ts";
import { statsRoutes } from "./stats/routes.ts";
import { transferRoutes } from "./transfers/routes.ts";
import { tsigRoutes } from "./tsig/routes.ts";
import { versionRoutes } from "./versions/routes.ts";
import { zoneFileRoutes } from "./zonefiles/routes.ts";
import { dnssecRoutes } from "./zones/dnssec.ts";
import { zoneRoutes } from "./zones/routes.ts";

export const routes = [
  ...zoneRoutes,
  ...dnssecRoutes,
  ...recordRoutes,
  ...versionRoutes,
  ...deletedRoutes,
  ...zoneFileRoutes,
  ...feedRoutes,
  ...explainRoutes,
  ...lintRoutes,
  ...catalogRoutes,
  ...searchRoutes,
  ...statsRoutes,
  ...changeRoutes,
  ...changeSetRoutes,
  ...transferRoutes,
  ...tsigRoutes,
  ...userRoutes,
  ...keyRoutes,
  ...keySecretRoutes,
  ...teamRoutes,
  ...effectiveRoutes,
  ...contactRoutes,
  ...usageWarningRoutes,
  ...allowListRoutes,
  ...requirementRoutes,
  ...activityRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...factorRoutes,
];
