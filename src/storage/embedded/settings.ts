/** Settings of the embedded server: durable before anything else, and cheap while idle. */
import { totalmem } from "node:os";

const mebibyte = 2 ** 20;

/** As arguments of `postgres`. `major` is the server's version: a setting that it does not know would stop it. */
export function settingsFor(major: number): string[] {
  const buffers = Math.min(256, Math.max(32, Math.floor(totalmem() / mebibyte / 32)));
  const settings: Record<string, string | number> = {
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    max_connections: 100,
    shared_buffers: `${buffers}MB`,
    // nothing reads the log but recovery
    wal_level: "minimal",
    max_wal_senders: 0,
    min_wal_size: "32MB",
    max_wal_size: "512MB",
    max_worker_processes: 2,
    max_logical_replication_workers: 0,
    max_parallel_workers_per_gather: 0,
    jit: "off",
    // well within the time that a caller waits
    deadlock_timeout: "200ms",
    // the outbox turns over quickly
    autovacuum_naptime: "15s",
    autovacuum_vacuum_scale_factor: 0.05,
    // writers in the background look for work now and then: a commit that is waited for writes by itself
    bgwriter_delay: "1s",
    wal_writer_delay: "1s",
    // a backend whose client went away gives its locks back
    client_connection_check_interval: "1s",
    unix_socket_permissions: "0700",
    timezone: "UTC",
    log_timezone: "UTC",
    log_line_prefix: "",
    // statements and their values are our callers' data; failures are told to the caller
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_checkpoints: "off",
    ...(major >= 18 ? { io_method: "sync" } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
