/** The zones with their queries; a zone opens to its records. */
import { useMemo } from "react";
import { PageLink } from "../../app/link.tsx";
import { useAddress } from "../../kit/address.ts";
import { Name } from "../../kit/name.tsx";
import { Share } from "../../kit/share.tsx";
import { Sparkline } from "../../kit/sparkline.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import type { Period } from "../../kit/time-range.tsx";
import { analyticsTexts as texts } from "../../text/analytics.ts";
import { ByRecord } from "./by-record.tsx";
import { countText, mostFirst, type Usage } from "./usage.ts";

interface Props {
  readonly zones: readonly Usage[];
  readonly total: number;
  readonly period: Period;
  readonly isLoading: boolean;
}

export function ByZone({ zones, total, period, isLoading }: Props) {
  const [sort] = useAddress("sort", byQueries);
  const columns = useMemo(() => columnsOf(total), [total]);
  const rows = useMemo(() => sorted(zones, sort), [zones, sort]);
  return (
    <Table
      label={texts.byZone}
      rows={rows}
      columns={columns}
      idOf={({ zone = "" }) => zone}
      isLoading={isLoading}
      sortedBy={byQueries}
      empty={texts.none}
      expanded={(usage) => <ByRecord of={usage} period={period} />}
    />
  );
}

const byQueries = "-queries";

function sorted(zones: readonly Usage[], sort: string): Usage[] {
  const rows = [...zones].sort(
    sort.endsWith("zone") ? (one, other) => (one.zone ?? "").localeCompare(other.zone ?? "") : mostFirst,
  );
  return sort === "queries" || sort === "-zone" ? rows.reverse() : rows;
}

const columnsOf = (total: number): readonly Column<Usage>[] => [
  {
    accessor: "zone",
    title: texts.zone,
    sortable: true,
    render: ({ zone = "" }) => (
      <PageLink to="zone" params={{ zone }} search={{ tab: "statistics" }}>
        <Name name={zone} />
      </PageLink>
    ),
  },
  {
    accessor: "queries",
    title: texts.queries,
    sortable: true,
    textAlign: "right",
    render: ({ queries }) => countText(queries),
  },
  {
    accessor: "share",
    title: texts.share,
    render: ({ queries }) => <Share part={queries} whole={total} />,
  },
  {
    accessor: "graph",
    title: texts.course,
    render: ({ graph, zone = "" }) => <Sparkline points={graph} label={texts.courseOf(zone)} />,
  },
];
