/** The settings of the embedded server: durable first, and cheap while idle. */
import { totalmem } from "node:os";

const mebibyte = 2 ** 20;

/** Returns arguments for `postgres`. `major` is the server's version, since it does not start with unknown settings. */
export function settingsFor(major: number): string[] {
  const buffers = Math.min(256, Math.max(32, Math.floor(totalmem() / mebibyte / 32)));
  const settings: Record<string, string | number> = {
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    max_connections: 100,
    shared_buffers: `${buffers}MB`,
    // only crash recovery reads the write-ahead log
    wal_level: "minimal",
    max_wal_senders: 0,
    min_wal_size: "32MB",
    max_wal_size: "512MB",
    max_worker_processes: 2,
    max_logical_replication_workers: 0,
    max_parallel_workers_per_gather: 0,
    jit: "off",
    // well below the time that a caller waits
    deadlock_timeout: "200ms",
    // rows of the outbox are short-lived; autovacuum_naptime stays at a minute, since each check starts a process
    autovacuum_vacuum_scale_factor: 0.05,
    // background writers may sleep: a synchronous commit writes by itself
    bgwriter_delay: "1s",
    wal_writer_delay: "1s",
    // a backend releases its locks when its client has disconnected
    client_connection_check_interval: "1s",
    unix_socket_permissions: "0700",
    timezone: "UTC",
    log_timezone: "UTC",
    log_line_prefix: "",
    // statements and their values are callers' data; failures are reported to the caller
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_checkpoints: "off",
    ...(major >= 18 ? { io_method: "sync" } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
