// The schema of the database, as steps that are never edited after a release: entry n brings version n to n + 1. Times are
// milliseconds since the epoch, money is integer micro-dollars, records are JSON.
import { commerceTables, packedCarts } from './commerce-tables.ts'
import { handoverTables } from './handover-tables.ts'
import { turnRecordTraits } from './turn-record-traits.ts'

/** Marks the file as ours, so that another program's database is not taken for it: "Mng1". */
export const APPLICATION_ID = 0x4d6e6731

export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    principal_id TEXT NOT NULL,
    title TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_active_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_of_principal ON sessions (principal_id, last_active_at);
  CREATE INDEX sessions_by_activity ON sessions (last_active_at);

  CREATE TABLE session_turns (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    turn_id TEXT NOT NULL,
    turn TEXT NOT NULL,
    PRIMARY KEY (session_id, version),
    UNIQUE (session_id, turn_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    leased_until INTEGER NOT NULL,
    records INTEGER NOT NULL,
    stop_wished INTEGER NOT NULL DEFAULT 0,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX turns_open ON turns (leased_until) WHERE ended_at IS NULL;
  CREATE INDEX turns_ended ON turns (ended_at) WHERE ended_at IS NOT NULL;

  CREATE TABLE turn_records (
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (turn_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE day_use (
    principal_id TEXT NOT NULL,
    day TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_micro_usd INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    forget_at INTEGER NOT NULL,
    PRIMARY KEY (principal_id, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX day_use_over ON day_use (forget_at);

  CREATE TABLE session_use (
    session_id TEXT PRIMARY KEY,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_micro_usd INTEGER NOT NULL,
    forget_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_use_over ON session_use (forget_at);

  CREATE TABLE holds (
    id TEXT PRIMARY KEY,
    principal_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    day TEXT NOT NULL,
    day_ends_at INTEGER NOT NULL,
    granted_input_tokens INTEGER NOT NULL,
    granted_output_tokens INTEGER NOT NULL,
    granted_cost_micro_usd INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_micro_usd INTEGER NOT NULL,
    claim_key TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('held', 'settled', 'released')),
    forget_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX holds_of_principal ON holds (principal_id, expires_at) WHERE state = 'held';
  CREATE INDEX holds_of_session ON holds (session_id, expires_at) WHERE state = 'held';
  CREATE INDEX holds_over ON holds (forget_at);

  CREATE TABLE claims (
    principal_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (principal_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX claims_over ON claims (until);

  CREATE TABLE ledger (
    turn_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    principal_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    day TEXT NOT NULL,
    at INTEGER NOT NULL,
    model TEXT NOT NULL,
    tier TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    cost_micro_usd INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (turn_id, attempt)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ledger_of_principal ON ledger (principal_id, day);
  CREATE INDEX ledger_of_session ON ledger (session_id);
  CREATE INDEX ledger_by_day ON ledger (day, model);

  CREATE TABLE products (
    id TEXT PRIMARY KEY,
    product TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE VIRTUAL TABLE search_documents USING fts5 (
    kind UNINDEXED, id UNINDEXED, written_names UNINDEXED, names, text, tokenize = 'unicode61 remove_diacritics 0'
  );
  `,
  `
  CREATE TABLE shelf_edition (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version INTEGER NOT NULL,
    source TEXT NOT NULL
  ) STRICT;

  ALTER TABLE turns ADD COLUMN session_id TEXT;
  UPDATE turns SET session_id = (
    SELECT json_extract(record, '$.start.sessionId') FROM turn_records WHERE turn_id = turns.id AND seq = 0
  );
  CREATE INDEX turns_of_session ON turns (session_id);

  CREATE TABLE probes (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- How far the log is trimmed, and how many bytes its records take from there on.
  ALTER TABLE turns ADD COLUMN trimmed_to INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turns ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE TABLE calibrations (
    key TEXT PRIMARY KEY,
    calibration TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What was said in the oldest turns of a conversation, in short, and up to which version; all three or none.
  ALTER TABLE sessions ADD COLUMN summary TEXT;
  ALTER TABLE sessions ADD COLUMN summary_up_to INTEGER;
  ALTER TABLE sessions ADD COLUMN summary_at INTEGER;
  `,
  `
  -- Rows from before know nothing of these: absent is not zero.
  ALTER TABLE ledger ADD COLUMN user_tier TEXT;
  ALTER TABLE ledger ADD COLUMN cache_read_tokens INTEGER;
  ALTER TABLE ledger ADD COLUMN cache_write_tokens INTEGER;
  ALTER TABLE ledger ADD COLUMN overage INTEGER;
  ALTER TABLE ledger ADD COLUMN estimate_system INTEGER;
  ALTER TABLE ledger ADD COLUMN estimate_retrieval INTEGER;
  ALTER TABLE ledger ADD COLUMN estimate_history INTEGER;
  ALTER TABLE ledger ADD COLUMN estimate_message INTEGER;
  ALTER TABLE ledger ADD COLUMN estimate_total INTEGER;
  CREATE INDEX ledger_in_order ON ledger (day, at, turn_id, attempt);

  -- A settlement that is made again answers as the first time.
  ALTER TABLE holds ADD COLUMN overage INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE tier_overrides (
    tier TEXT PRIMARY KEY,
    override TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE user_overrides (
    principal_id TEXT PRIMARY KEY,
    override TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_of_subject ON audit (subject, number);
  `,
  `
  -- The guest who began a conversation that is a user's now.
  ALTER TABLE sessions ADD COLUMN inherited_from TEXT;
  `,
  `
  -- The logs of turns, whole: of those that have ended, and of open ones that have been written anew.
  CREATE TABLE turn_logs (
    turn_id TEXT PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    records TEXT NOT NULL
  ) STRICT;
  INSERT INTO turn_logs
    SELECT turn_id, '[' || group_concat(record, ',' ORDER BY seq) || ']' FROM turn_records GROUP BY turn_id;
  DROP TABLE turn_records;

  -- What open turns were given since: rows of all of them, in the order they were written.
  CREATE TABLE turn_tail (
    id INTEGER PRIMARY KEY,
    turn_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    entries TEXT NOT NULL
  ) STRICT;
  ALTER TABLE turns ADD COLUMN tail_from INTEGER NOT NULL DEFAULT 1;

  -- Leases live in memory, and how much a log holds is seen from the log.
  DROP INDEX turns_open;
  CREATE INDEX turns_open ON turns (tail_from) WHERE ended_at IS NULL;
  ALTER TABLE turns DROP COLUMN leased_until;
  ALTER TABLE turns DROP COLUMN records;
  ALTER TABLE turns DROP COLUMN trimmed_to;
  ALTER TABLE turns DROP COLUMN kept_bytes;
  `,
  `
  -- Questions kept for when a model is back. Leased to nobody: leased_until is in the past.
  CREATE TABLE deferred_questions (
    turn_id TEXT PRIMARY KEY,
    principal_id TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    leased_until INTEGER NOT NULL,
    question TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deferred_of_principal ON deferred_questions (principal_id);
  CREATE INDEX deferred_in_order ON deferred_questions (accepted_at);
  `,
  `
  -- What the vendors' calls of a day have taken of the store's ceiling, and of its guests'.
  CREATE TABLE spend_use (
    day TEXT NOT NULL,
    name TEXT NOT NULL,
    taken INTEGER NOT NULL,
    highest INTEGER NOT NULL,
    forget_at INTEGER NOT NULL,
    PRIMARY KEY (day, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE spend_operations (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    chunk TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX spend_operations_in_order ON spend_operations (at);
  `,
  `
  -- The catalogue by editions: the next one is written beside the current one, which one row names. Prices and stock are apart
  -- from the facts. The products before were those of the program, which are imported again at the start.
  DROP TABLE products;
  DROP TABLE shelf_edition;
  -- The search index is a file of its own.
  DROP TABLE search_documents;
  CREATE TABLE edition_products (
    version INTEGER NOT NULL,
    id TEXT NOT NULL,
    facts TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (version, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE edition_offers (
    version INTEGER NOT NULL,
    id TEXT NOT NULL,
    offer TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (version, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE current_edition (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version INTEGER NOT NULL,
    offers INTEGER NOT NULL,
    source TEXT NOT NULL,
    products_digest TEXT NOT NULL,
    offers_digest TEXT NOT NULL,
    faq_digest TEXT NOT NULL
  ) STRICT;
  CREATE TABLE imported_faq (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    entries TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- The version of the system prompt of a call; rows from before do not know it.
  ALTER TABLE ledger ADD COLUMN prompt TEXT;
  `,
  `
  -- Which experiments run, and the secret of the hash that assigns arms.
  CREATE TABLE experiments (
    name TEXT PRIMARY KEY,
    override TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE experiment_key (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    key TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- One row for each ended turn of a conversation. \`facts\` never change; the rest can be asked for, or changes.
  CREATE TABLE turn_records (
    turn_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    principal_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    feedback TEXT,
    received TEXT NOT NULL,
    facts TEXT NOT NULL
  ) STRICT;
  CREATE INDEX turn_records_in_order ON turn_records (at, turn_id);
  CREATE INDEX turn_records_of_session ON turn_records (session_id, at, turn_id);
  CREATE INDEX turn_records_of_principal ON turn_records (principal_id, at, turn_id);
  CREATE INDEX turn_records_by_feedback ON turn_records (feedback, at, turn_id) WHERE feedback IS NOT NULL;
  CREATE TABLE turn_record_exposures (
    experiment TEXT NOT NULL,
    at INTEGER NOT NULL,
    turn_id TEXT NOT NULL REFERENCES turn_records (turn_id) ON DELETE CASCADE,
    PRIMARY KEY (experiment, at, turn_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX turn_record_exposures_of_turn ON turn_record_exposures (turn_id);
  -- What was noted before the record came.
  CREATE TABLE turn_record_notes (
    turn_id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL,
    noted TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX turn_record_notes_in_order ON turn_record_notes (expires_at);
  -- The guest as whom a user is assigned to arms of experiments.
  CREATE TABLE turn_record_units (
    principal_id TEXT PRIMARY KEY,
    unit TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Whose records were removed, as a digest: records that come later are not stored.
  CREATE TABLE turn_records_forgotten (
    whose TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Ended turns whose conversation or ledger rows wait in the memory of their owner, because another store is unavailable.
  CREATE TABLE unwritten_turns (
    turn_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX unwritten_turns_in_order ON unwritten_turns (at);
  `,
  `
  -- The owner that booked a call after it had lost the turn; other rows do not have it.
  ALTER TABLE ledger ADD COLUMN lost_owner INTEGER;
  `,
  `
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    override TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  turnRecordTraits,
  `
  -- Which alarms people were notified of, silences, and past incidents.
  CREATE TABLE alarm_state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  `,
  commerceTables,
  `
  -- What the models did, in steps of a quarter of an hour: counts, faults, changes of lanes. The last batch of a step is not added twice.
  CREATE TABLE model_history (
    at INTEGER NOT NULL,
    key TEXT NOT NULL,
    count INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (at, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE model_history_batches (
    at INTEGER PRIMARY KEY,
    batch TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What a request of an API key was booked under.
  ALTER TABLE ledger ADD COLUMN tag TEXT;
  `,
  handoverTables,
  packedCarts,
]
