/** The client of the simulator, kept in the address. */
import { useAddress } from "../../../kit/address.ts";
import type { Client } from "./use-simulation.ts";

export interface ChosenClient {
  readonly client: Client;
  setAddress(text: string): void;
  setCountry(code: string): void;
  setAsn(text: string): void;
  setFeeds(feeds: Client["feeds"]): void;
  setLater(seconds: string): void;
}

export function useClient(): ChosenClient {
  const [address, setAddress] = useAddress("client");
  const [country, setCountry] = useAddress("in");
  const [asn, setAsn] = useAddress("asn");
  const [assumed, setAssumed] = useAddress("assume");
  const [later, setLater] = useAddress("later");
  return {
    client: { address, country, asn, feeds: assumptionsOf(assumed), later: /^\d{1,9}$/.test(later) ? later : "" },
    setAddress,
    setCountry,
    setAsn,
    setLater,
    setFeeds: (feeds) => setAssumed(textOf(feeds)),
  };
}

/** Assumed values of feeds, in the address: `id.up` or `id.down`, separated by commas. */
const assumptionsOf = (text: string): Client["feeds"] =>
  Object.fromEntries(
    text
      .split(",")
      .filter((one) => /^\w+\.(up|down)$/.test(one))
      .map((one) => one.split("."))
      .map(([id = "", state]) => [id, { up: state === "up" }]),
  );

const textOf = (feeds: Client["feeds"]): string =>
  Object.entries(feeds)
    .map(([id, { up }]) => `${id}.${up === true ? "up" : "down"}`)
    .join(",");
