/** The types of notifications that there will be, with their settings. */
import { type FieldListing, listFields, text } from "../../../lib/fields.ts";

interface NotifierType {
  readonly shortdesc: string;
  readonly desc: string;
  readonly config: Readonly<Record<string, FieldListing>>;
}

const required = (shortdesc: string, type = "text") => text({ shortdesc, type, required: true, default: null });
const optional = (shortdesc: string) => text({ shortdesc, default: null });

export const notifierTypes: Readonly<Record<string, NotifierType>> = {
  user: {
    shortdesc: "User",
    desc: "Not built yet. Sends a mail to a user of the account.",
    config: listFields({ user: required("User name", "username") }),
  },
  email: {
    shortdesc: "Email",
    desc: "Not built yet. Sends a mail to an address.",
    config: listFields({ email: required("Mail address", "email") }),
  },
  datafeed: {
    shortdesc: "Data feed",
    desc: "Not built yet. Pushes whether a job is up to the feeds of a data source.",
    config: listFields({ sourceid: required("Id of the data source") }),
  },
  webhook: {
    shortdesc: "Webhook",
    desc: "Not built yet. Sends JSON to a URL.",
    config: listFields({ url: required("URL") }),
  },
  slack: {
    shortdesc: "Slack",
    desc: "Not built yet. Sends a message to a Slack channel.",
    config: listFields({
      url: required("URL of the incoming webhook"),
      username: optional("Sender"),
      channel: optional("Channel"),
    }),
  },
  pagerduty: {
    shortdesc: "PagerDuty",
    desc: "Not built yet. Opens and resolves incidents in PagerDuty.",
    config: listFields({ service_key: required("Service key") }),
  },
};
