/** The registry of the rights that keys, users and teams may have, one row each. Routes require them, permissions grant them. */

interface RightRow {
  readonly desc: string;
  /** Exists only in this edition; elsewhere it is accepted, ignored and not shown. */
  readonly only?: "ddi";
  /** The value of a right that is left out: allowed by default, denied, or the value of another right in its group. */
  readonly omitted?: "denied" | { readonly as: string };
  /** Concerns the whole installation, and has an effect only in an account of the operator. */
  readonly isOperators?: true;
  /** Lets its holder give others access, so that a session whose password was not given lately cannot write with it. */
  readonly givesAccess?: true;
}

const row = (desc: string, rest: Omit<RightRow, "desc"> = {}): RightRow => ({ desc, ...rest });
const ddi = { only: "ddi" } as const;
/** Never granted by an omission, nor by the account alone. */
const ofOperator = { omitted: "denied", isOperators: true } as const;
const givesAccess = { givesAccess: true } as const;
const asManageJobs = { omitted: { as: "manage_jobs" } } as const;

const registry = {
  "account.manage_account_settings": row("Read and change contact details and usage warnings."),
  "account.manage_teams": row("Read and change teams.", givesAccess),
  "account.manage_users": row("Read and change users.", givesAccess),
  "account.manage_apikeys": row("Read and change API keys.", givesAccess),
  "account.manage_ip_whitelist": row("Read and change the account's allow lists.", givesAccess),
  "account.view_activity_log": row("Read the activity log."),
  "account.manage_payment_methods": row("Read and change payment methods."),
  "account.view_invoices": row("Read invoices and the bill."),
  "account.manage_plan": row("Read and change the plan."),
  "account.manage_auth_tags": row('Create and change tags whose names begin with "auth:".'),
  "account.manage_auth_keys": row('Required in addition to manage_auth_tags for "auth:" tags.', { omitted: "denied" }),
  "account.manage_service": row("Change services.", ddi),
  "account.view_service": row("Read services.", ddi),
  "data.manage_datasources": row("Read and change data sources."),
  "data.manage_datafeeds": row("Read and change data feeds."),
  "data.push_to_datafeeds": row("Push values to data feeds."),
  "dhcp.manage_dhcp": row("Change DHCP settings."),
  "dhcp.view_dhcp": row("Read DHCP settings."),
  "dns.manage_zones": row("Create, change and delete zones and records."),
  "dns.view_zones": row("Read and search zones and records."),
  "insights.view_insights": row("Read insights."),
  "insights.manage_insights": row("Change insights."),
  "ipam.manage_ipam": row("Change address management."),
  "ipam.view_ipam": row("Read address management."),
  "monitoring.manage_lists": row("Read and change notification lists."),
  "monitoring.manage_jobs": row("Create, change and delete monitoring jobs."),
  "monitoring.view_jobs": row("Read monitoring jobs."),
  "monitoring.create_jobs": row("Create monitoring jobs.", asManageJobs),
  "monitoring.update_jobs": row("Change monitoring jobs.", asManageJobs),
  "monitoring.delete_jobs": row("Delete monitoring jobs.", asManageJobs),
  "operator.view": row("Read the state of the whole installation. Only in an account of the operator.", ofOperator),
  "operator.manage": row("Change the state of the whole installation. Only in an account of the operator.", {
    ...ofOperator,
    ...givesAccess,
  }),
  "redirects.manage_redirects": row("Read and change redirects."),
  "security.manage_global_2fa": row("Require a second factor of every user.", givesAccess),
  "security.manage_active_directory": row("Change Active Directory settings.", ddi),
  "security.manage_kerberos": row("Change Kerberos settings.", ddi),
  "security.manage_ddns": row("Change dynamic update settings.", ddi),
  "service.view_config": row("Read service configuration.", ddi),
  "service.manage_config": row("Change service configuration.", ddi),
};

/** A right as routes name it, such as `dns.manage_zones`. */
export type Right = keyof typeof registry;
export type Edition = "managed" | "ddi";

export const rights: Readonly<Record<Right, RightRow>> = registry;
export const rightNames = Object.keys(registry).filter((name): name is Right => name in registry);

/** Rights that exist in an edition, in the order of the registry. */
export const rightsOf = (edition: Edition) =>
  rightNames.filter((name) => rights[name].only === undefined || rights[name].only === edition);

/** The group and the name under which a permissions object has the right. */
export function rightPath(right: Right): readonly [group: string, name: string] {
  const dot = right.indexOf(".");
  return [right.slice(0, dot), right.slice(dot + 1)];
}

/** The name of a right in messages, which clients compare. */
export const rightInMessages = (right: Right): string => (rights[right].isOperators ? right : rightPath(right)[1]);
