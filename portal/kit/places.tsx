/** The pages of one part of the portal, as links that look like tabs. */
import { PageLink } from "../app/link.tsx";
import type { RouteName } from "../routes.ts";
import { useChosenInView } from "./chosen-in-view.ts";
import classes from "./places.module.css";

interface Props {
  readonly label: string;
  /** The route of these pages, whose parameter `page` is the name of one. */
  readonly to: RouteName;
  readonly names: readonly string[];
  readonly here: string;
  readonly textOf: (name: string) => string;
}

export function Places({ label, to, names, here, textOf }: Props) {
  const row = useChosenInView(here);
  return (
    <nav ref={row} className={classes["places"]} aria-label={label}>
      {names.map((name) => (
        <PageLink
          key={name}
          to={to}
          params={{ page: name }}
          className={classes["place"] ?? ""}
          mod={{ here: name === here }}
          underline="never"
          fz="sm"
          {...(name === here ? { "aria-current": "page" as const } : {})}
        >
          {textOf(name)}
        </PageLink>
      ))}
    </nav>
  );
}
