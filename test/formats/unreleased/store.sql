-- Some tables and rows of a store as unreleased versions made them: no later version may touch it.
CREATE TABLE kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
ALTER TABLE ONLY kysely_migration ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
CREATE TABLE kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY kysely_migration_lock ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
CREATE TABLE lease (
    name text NOT NULL COLLATE "C",
    holder text NOT NULL,
    token bigint NOT NULL,
    expires_at bigint NOT NULL
);
ALTER TABLE ONLY lease ADD CONSTRAINT lease_pkey PRIMARY KEY (name);
CREATE TABLE account (
    id text NOT NULL COLLATE "C",
    name text NOT NULL,
    plan text NOT NULL,
    dnssec boolean NOT NULL,
    created bigint NOT NULL,
    contact json DEFAULT '{}'::json NOT NULL,
    usage_warnings json DEFAULT '{}'::json NOT NULL,
    second_factor_required boolean DEFAULT false NOT NULL,
    suspended_at bigint
);
ALTER TABLE ONLY account ADD CONSTRAINT account_pkey PRIMARY KEY (id);
CREATE TABLE setting (
    name text NOT NULL COLLATE "C",
    value text NOT NULL
);
ALTER TABLE ONLY setting ADD CONSTRAINT setting_pkey PRIMARY KEY (name);
CREATE TABLE sequencer (
    subject text NOT NULL COLLATE "C",
    revision bigint NOT NULL
);
ALTER TABLE ONLY sequencer ADD CONSTRAINT sequencer_pkey PRIMARY KEY (subject);
CREATE TABLE follower (
    id text NOT NULL COLLATE "C",
    revision bigint NOT NULL,
    seen_at bigint NOT NULL
);
ALTER TABLE ONLY follower ADD CONSTRAINT follower_pkey PRIMARY KEY (id);
INSERT INTO kysely_migration (name, "timestamp") VALUES
  ('0001_start', '2026-01-01T00:00:00.000Z'),
  ('0002_feeds', '2026-01-01T00:00:00.000Z'),
  ('0003_live', '2026-01-01T00:00:00.000Z'),
  ('0004_steering', '2026-01-01T00:00:00.000Z'),
  ('0005_serials', '2026-01-01T00:00:00.000Z'),
  ('0006_usage', '2026-01-01T00:00:00.000Z'),
  ('0007_versions', '2026-01-01T00:00:00.000Z'),
  ('0008_deleted', '2026-01-01T00:00:00.000Z'),
  ('0009_loads', '2026-01-01T00:00:00.000Z'),
  ('0010_import_jobs', '2026-01-01T00:00:00.000Z'),
  ('0011_tsig', '2026-01-01T00:00:00.000Z'),
  ('0012_transfers', '2026-01-01T00:00:00.000Z'),
  ('0013_links', '2026-01-01T00:00:00.000Z'),
  ('0014_record_links', '2026-01-01T00:00:00.000Z'),
  ('0015_catalogs', '2026-01-01T00:00:00.000Z'),
  ('0016_account', '2026-01-01T00:00:00.000Z'),
  ('0017_activity_order', '2026-01-01T00:00:00.000Z'),
  ('0018_teams', '2026-01-01T00:00:00.000Z'),
  ('0019_users', '2026-01-01T00:00:00.000Z'),
  ('0020_signin', '2026-01-01T00:00:00.000Z'),
  ('0021_activity_before', '2026-01-01T00:00:00.000Z'),
  ('0022_suspension', '2026-01-01T00:00:00.000Z'),
  ('0023_key_secrets', '2026-01-01T00:00:00.000Z'),
  ('0024_activity_zone', '2026-01-01T00:00:00.000Z'),
  ('0025_ways_in', '2026-01-01T00:00:00.000Z'),
  ('0026_untold', '2026-01-01T00:00:00.000Z'),
  ('0027_addresses', '2026-01-01T00:00:00.000Z');
INSERT INTO kysely_migration_lock (id, is_locked) VALUES ('migration_lock', 0);
INSERT INTO lease (name, holder, token, expires_at) VALUES ('migration', '6b03df11ecbc2f1cd335f062', 1, 0);
INSERT INTO account (id, name, plan, dnssec, created) VALUES ('a', 'An account', 'free', false, 1767225600);
INSERT INTO sequencer (subject, revision) VALUES ('configuration', 12), ('live', 0);
