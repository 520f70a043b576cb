/** The page of one user, key or team: its head, its own tabs, its rights, and the rights that apply in the end. */
import { Loader, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ApiError } from "../../../api/client.ts";
import type { Permissions } from "../../../api/types.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { PageTabs, type Tab } from "../../../kit/page.tsx";
import { accountTexts as texts } from "../../../text/account.ts";
import { Effective } from "../rights/effective.tsx";
import { RightsTab } from "../rights/rights-tab.tsx";
import type { Holder } from "../rights/use-effective.ts";
import { Detail } from "./detail.tsx";

interface Props {
  readonly page: "people" | "keys" | "teams";
  readonly holder: Holder;
  readonly title: ReactNode;
  readonly read: { readonly error: ApiError | null; readonly refetch: () => unknown };
  /** Undefined until it is read. */
  readonly thing: { readonly permissions: Permissions; readonly teams?: readonly string[] } | undefined;
  readonly acts?: ReactNode;
  /** Tabs before and after those about rights. */
  readonly tabs: readonly Tab[];
  readonly more?: readonly Tab[];
  readonly write: { readonly isPending: boolean; readonly error: ApiError | null };
  readonly onSave: (permissions: Permissions, onSaved: () => void) => void;
}

export function HolderPage({ page, holder, title, read, thing, acts, tabs, more = [], write, onSave }: Props) {
  const { error, refetch } = read;
  if (!thing) {
    return (
      <Detail page={page} title={title}>
        {error?.status === 404 ? (
          <Text>{texts.notFound}</Text>
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )}
        {!error && <Loader size="sm" />}
      </Detail>
    );
  }
  const { permissions, teams = [] } = thing;
  const rights = () => (
    <RightsTab holder={holder} permissions={permissions} isInTeams={teams.length > 0} write={write} onSave={onSave} />
  );
  return (
    <Detail page={page} title={title} acts={acts}>
      <PageTabs
        tabs={[
          ...tabs,
          { name: "rights", text: texts.rights, panel: rights },
          { name: "effective", text: texts.effective, panel: () => <Effective holder={holder} /> },
          ...more,
        ]}
      />
    </Detail>
  );
}
