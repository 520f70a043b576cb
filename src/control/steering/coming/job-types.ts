/** The types of monitoring jobs that there will be: their settings, and the results that rules compare. */
import { type FieldListing, flag, listFields, number, text } from "../../../lib/fields.ts";

interface ResultListing {
  readonly shortdesc: string;
  readonly desc: string;
  readonly type: "number" | "text";
  readonly validator: "number" | "text";
  readonly metric: boolean;
  readonly comparators: readonly string[];
}

interface JobType {
  readonly shortdesc: string;
  readonly desc: string;
  readonly config: Readonly<Record<string, FieldListing>>;
  readonly results: Readonly<Record<string, ResultListing>>;
}

const required = { required: true, default: null } as const;
const host = text({ shortdesc: "Host", desc: "The name or address of the host.", ...required });
const port = text({ shortdesc: "Port", type: "number", ...required });
const ipv6 = flag({ shortdesc: "IPv6", desc: "Connects over IPv6.", default: "0" });
const milliseconds = (shortdesc: string, usual: string) =>
  number({ shortdesc, desc: `${shortdesc} in milliseconds.`, default: usual, least: 0, whole: true });
const seconds = (shortdesc: string, usual: string) =>
  number({ shortdesc, desc: `${shortdesc} in seconds.`, default: usual, least: 0, whole: true });
const verified = flag({ shortdesc: "Verify TLS", desc: "Requires a valid certificate.", default: "0" });

const numbers = ["<", ">", "<=", ">=", "==", "!="];
const measured = (shortdesc: string, metric = true): ResultListing => ({
  ...{ shortdesc, desc: `${shortdesc}.`, type: "number", validator: "number", metric, comparators: numbers },
});
const read = (shortdesc: string): ResultListing => ({
  ...{ shortdesc, desc: `${shortdesc}.`, type: "text", validator: "text", metric: false, comparators: ["contains"] },
});

export const jobTypes: Readonly<Record<string, JobType>> = {
  ping: {
    shortdesc: "Ping (ICMP)",
    desc: "Not built yet. Sends ICMP echo requests to a host.",
    config: listFields({
      host,
      count: number({ shortdesc: "Packets to send", default: "4", least: 1, whole: true }),
      timeout: milliseconds("Time limit for replies", "2000"),
      interval: milliseconds("Pause between packets", "0"),
      ipv6,
    }),
    results: {
      rtt: measured("Mean round-trip time in milliseconds"),
      loss: measured("Lost packets in percent"),
    },
  },
  tcp: {
    shortdesc: "TCP",
    desc: "Not built yet. Connects to a TCP port of a host.",
    config: listFields({
      host,
      port,
      connect_timeout: milliseconds("Time limit to connect", "2000"),
      response_timeout: milliseconds("Time limit for the response", "1000"),
      send: text({ shortdesc: "Text to send", desc: "Escapes such as \\r\\n are interpreted.", default: null }),
      ssl: flag({ shortdesc: "TLS", desc: "Connects with TLS.", default: "0" }),
      tls_add_verify: verified,
      ipv6,
    }),
    results: {
      connect: measured("Time to connect in milliseconds"),
      output: read("The text that the host sent"),
    },
  },
  dns: {
    shortdesc: "DNS",
    desc: "Not built yet. Asks a name server for a record.",
    config: listFields({
      host: text({ shortdesc: "Name server", desc: "The name or address of the name server.", ...required }),
      domain: text({ shortdesc: "Name to ask for", ...required }),
      type: text({ shortdesc: "Record type", default: "A" }),
      port: number({ shortdesc: "Port", default: "53", least: 1, most: 65_535, whole: true }),
      response_timeout: milliseconds("Time limit for the response", "2000"),
      ipv6,
    }),
    results: {
      rtt: measured("Time to the response in milliseconds"),
      num_records: measured("Number of records in the answer", false),
      rdata: read("The data of the records in the answer"),
    },
  },
  http: {
    shortdesc: "HTTP",
    desc: "Not built yet. Requests a URL over HTTP or HTTPS.",
    config: listFields({
      url: text({ shortdesc: "URL", ...required }),
      method: text({ shortdesc: "Method", default: "GET", of: ["GET", "HEAD", "POST"] }),
      virtual_host: text({ shortdesc: "Host header", default: null }),
      user_agent: text({ shortdesc: "User agent", default: null }),
      authorization: text({ shortdesc: "Authorization header", default: null }),
      connect_timeout: seconds("Time limit to connect", "5"),
      idle_timeout: seconds("Time limit without data", "3"),
      follow_redirect: flag({ shortdesc: "Follow redirects", default: "0" }),
      tls_add_verify: verified,
      ipv6,
    }),
    results: {
      status_code: measured("Status code", false),
      time: measured("Time to the whole response in milliseconds"),
      body: read("The body of the response"),
    },
  },
};
