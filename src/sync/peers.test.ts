import { expect, test } from "vitest";
import { primariesOf, type SecondarySettings, type TlsSettings } from "./peers.ts";

test("the primaries are in order, each with its port and name", () => {
  const tls: TlsSettings = {
    ...{ enabled: true, profile: "strict", spki_pins: [], ca: null },
    ...{ auth_domain_name: "a.example", other_auth_domain_names: ["b.example"] },
  };
  const settings: SecondarySettings = {
    ...{ enabled: true, primary_ip: "192.0.2.1", primary_port: 853, tsig: null, tls },
    ...{ other_ips: ["192.0.2.2", "192.0.2.3"], other_ports: [8853] },
  };
  expect(primariesOf(settings)).toEqual([
    { address: "192.0.2.1", port: 853, name: "a.example" },
    { address: "192.0.2.2", port: 8853, name: "b.example" },
    { address: "192.0.2.3", port: 853, name: "a.example" },
  ]);
});
