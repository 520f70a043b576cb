/** Links to pages of the portal, by the names of their routes. */
import { Anchor, type AnchorProps } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type RouteName, routes } from "../routes.ts";

interface Target {
  readonly to: RouteName;
  readonly params?: { readonly [name: string]: string };
  readonly search?: { readonly [name: string]: string | undefined };
}

const pathOf = (name: RouteName) => routes[name].replace(/:(\w+)/g, "$$$1");

/** The properties of the router's own links. */
const linkProps = ({ to, params, search }: Target) =>
  ({ to: pathOf(to), params: params ?? {}, search: search ?? {} }) as never;

export function PageLink({
  to,
  params,
  search,
  children,
  ...rest
}: Target & AnchorProps & { readonly children: ReactNode; readonly onClick?: () => void }) {
  return (
    <Anchor
      inherit
      {...rest}
      renderRoot={(props) => <Link {...props} {...(linkProps({ to, params, search }) as object)} />}
    >
      {children}
    </Anchor>
  );
}

/** A function that opens a page. */
export function useOpen(): (target: Target) => void {
  const navigate = useNavigate();
  return (target) => void navigate(linkProps(target));
}
