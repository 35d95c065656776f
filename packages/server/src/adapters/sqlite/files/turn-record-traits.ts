// The migration that lets turn records be found by their traits, and stores refusals beside them. A part of `migrations.ts`.

export const turnRecordTraits = `
  -- Everything that records can be asked for and that has few values, once: kind, door, tier, model, outcome, reason, degraded, and the
  -- classes of cost and time, which are not known (-1) for records from before. Its numbers are never used again.
  CREATE TABLE turn_record_traits (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    traits TEXT NOT NULL UNIQUE
  ) STRICT;
  ALTER TABLE turn_records ADD COLUMN request_id TEXT;
  ALTER TABLE turn_records ADD COLUMN is_refusal INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turn_records ADD COLUMN traits INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turn_records ADD COLUMN cost INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turn_records ADD COLUMN total_ms INTEGER NOT NULL DEFAULT 0;
  CREATE TEMP TABLE traits_before AS SELECT turn_id, json_array(
      'chat', '', facts ->> '$.tier', facts ->> '$.model', facts ->> '$.finishReason', coalesce(facts ->> '$.failure', ''),
      coalesce(facts ->> '$.isDegraded', 0), -1, -1
    ) AS traits FROM turn_records;
  CREATE INDEX temp.traits_before_of_turn ON traits_before (turn_id);
  INSERT INTO turn_record_traits (traits) SELECT DISTINCT traits FROM traits_before;
  UPDATE turn_records SET
    traits = (SELECT id FROM turn_record_traits AS known JOIN traits_before AS own ON known.traits = own.traits
      WHERE own.turn_id = turn_records.turn_id),
    cost = coalesce(facts ->> '$.costMicroUsd', 0),
    total_ms = coalesce(facts ->> '$.totalMs', 0);
  DROP TABLE traits_before;

  -- Each index has what a filter compares, so that records that do not match are passed over without being read.
  DROP INDEX turn_records_in_order;
  DROP INDEX turn_records_of_principal;
  DROP INDEX turn_records_by_feedback;
  CREATE INDEX turn_records_in_order ON turn_records (at, turn_id, traits, cost, total_ms);
  CREATE INDEX turn_records_of_principal ON turn_records (principal_id, at, turn_id, traits, cost, total_ms);
  CREATE INDEX turn_records_by_feedback ON turn_records (feedback, at, turn_id, principal_id, traits, cost, total_ms)
    WHERE feedback IS NOT NULL;
  CREATE INDEX turn_records_by_traits ON turn_records (traits, at, turn_id, cost, total_ms);
  CREATE INDEX turn_records_of_request ON turn_records (request_id, at, turn_id) WHERE request_id IS NOT NULL;
  CREATE INDEX turn_records_refused ON turn_records (at, turn_id) WHERE is_refusal = 1;
  ALTER TABLE turn_record_exposures ADD COLUMN traits INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turn_record_exposures ADD COLUMN cost INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turn_record_exposures ADD COLUMN total_ms INTEGER NOT NULL DEFAULT 0;
  UPDATE turn_record_exposures SET (traits, cost, total_ms) =
    (SELECT traits, cost, total_ms FROM turn_records AS own WHERE own.turn_id = turn_record_exposures.turn_id);
  `
