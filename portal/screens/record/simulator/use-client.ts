/** The client of the simulator, kept in the address. */
import { useAddress } from "../../../kit/address.ts";
import type { Client } from "./use-simulation.ts";

export interface ChosenClient {
  readonly client: Client;
  setAddress(text: string): void;
  setCountry(code: string): void;
  setSubdivision(code: string): void;
  setAsn(text: string): void;
  setFeeds(feeds: Client["feeds"]): void;
  setLater(seconds: string): void;
}

export function useClient(): ChosenClient {
  const [address, setAddress] = useAddress("client");
  // as in ISO 3166-2: US or US-CA
  const [place, setPlace] = useAddress("in");
  const [country = "", subdivision = ""] = place.split("-");
  const [asn, setAsn] = useAddress("asn");
  const [assumed, setAssumed] = useAddress("assume");
  const [later, setLater] = useAddress("later");
  return {
    client: {
      address,
      country,
      subdivision,
      asn,
      feeds: assumptionsOf(assumed),
      later: /^\d{1,9}$/.test(later) ? later : "",
    },
    setAddress,
    setCountry: setPlace,
    setSubdivision: (code) => setPlace(code === "" ? country : `${country}-${code}`),
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
