/**
 * Monitoring and notifications, which are not built yet: the lists that clients read in each plan are empty, the lists of
 * types say what there will be, and nothing can be created.
 */
import { Type } from "typebox";
import { notBuilt } from "../../../lib/problem.ts";
import { ConfigField, names } from "../../kit/schema.ts";
import { route } from "../../write/route.ts";
import { jobTypes } from "./job-types.ts";
import { notifierTypes } from "./notifier-types.ts";

const tag = "Monitoring";
const jobs = "/v1/monitoring/jobs";
const lists = "/v1/lists";

const described = { shortdesc: Type.String(), desc: Type.String({ description: "HTML." }) };
const config = Type.Record(Type.String(), ConfigField);
const Result = Type.Object({
  ...described,
  type: Type.String(),
  validator: Type.String(),
  metric: Type.Boolean({ description: "Whether there will be a graph of the values." }),
  comparators: names("What rules can do with the value."),
});
const JobType = Type.Object({ ...described, config, results: Type.Record(Type.String(), Result) });
const NotifierType = Type.Object({ ...described, config });
const Region = Type.Object({ code: Type.String(), name: Type.String(), subnets: names("Addresses of probes.") });

export const comingRoutes = [
  route({
    method: "GET",
    path: jobs,
    tag,
    summary: "List monitoring jobs",
    desc: "Empty: monitoring is not built yet.",
    right: "monitoring.view_jobs",
    reply: Type.Array(Type.Unknown()),
    run: async () => [],
  }),
  route({
    method: "PUT",
    path: jobs,
    tag,
    summary: "Create a monitoring job",
    desc: "Always refused: monitoring is not built yet.",
    right: ["monitoring.manage_jobs", "monitoring.create_jobs"],
    reply: "status",
    run: async () => {
      throw notBuilt("monitoring jobs are not built yet; let your monitoring push to a feed instead");
    },
  }),
  route({
    method: "GET",
    path: "/v1/monitoring/jobtypes",
    tag,
    summary: "List types of monitoring jobs",
    desc: "The types that there will be: monitoring is not built yet.",
    right: "any",
    reply: Type.Record(Type.String(), JobType),
    run: async () => jobTypes,
  }),
  route({
    method: "GET",
    path: "/v1/monitoring/regions",
    tag,
    summary: "List places of probes",
    desc: "Empty: monitoring is not built yet.",
    right: "any",
    reply: Type.Array(Region),
    run: async () => [],
  }),
  route({
    method: "GET",
    path: lists,
    tag,
    summary: "List notification lists",
    desc: "Empty: notifications are not built yet.",
    right: "monitoring.manage_lists",
    reply: Type.Array(Type.Unknown()),
    run: async () => [],
  }),
  route({
    method: "PUT",
    path: lists,
    tag,
    summary: "Create a notification list",
    desc: "Always refused: notifications are not built yet.",
    right: "monitoring.manage_lists",
    reply: "status",
    run: async () => {
      throw notBuilt("notification lists are not built yet");
    },
  }),
  route({
    method: "GET",
    path: "/v1/notifytypes",
    tag,
    summary: "List types of notifications",
    desc: "The types that there will be: notifications are not built yet.",
    right: "any",
    reply: Type.Record(Type.String(), NotifierType),
    run: async () => notifierTypes,
  }),
];
