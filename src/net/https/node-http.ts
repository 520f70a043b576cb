/**
 * Node's HTTP server. An import of `node:http` would also load its client `fetch`, since modules read all that they export: 14
 * MB and 45 ms of CPU time in each process.
 */
export const { createServer } = process.getBuiltinModule("node:http");
