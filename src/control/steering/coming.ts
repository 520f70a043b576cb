/**
 * Lists that clients read in each plan, although they are empty until monitoring is built: jobs, and lists of those to be
 * notified.
 */
import { Type } from "typebox";
import { route } from "../write/route.ts";

export const comingRoutes = [
  route({
    method: "GET",
    path: "/v1/monitoring/jobs",
    tag: "Monitoring",
    summary: "List monitoring jobs",
    desc: "Empty: monitoring is not built yet.",
    right: "monitoring.view_jobs",
    reply: Type.Array(Type.Unknown()),
    run: async () => [],
  }),
  route({
    method: "GET",
    path: "/v1/lists",
    tag: "Monitoring",
    summary: "List notification lists",
    desc: "Empty: notifications are not built yet.",
    right: "monitoring.manage_lists",
    reply: Type.Array(Type.Unknown()),
    run: async () => [],
  }),
];
