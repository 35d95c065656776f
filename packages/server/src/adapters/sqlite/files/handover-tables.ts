// The migration that adds the requests of shoppers for a person. Never changed: a later migration changes the table.

export const handoverTables = `
  -- Requests of shoppers for a person.
  CREATE TABLE handover_requests (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    principal_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    given TEXT NOT NULL
  ) STRICT;
  CREATE INDEX handover_requests_by_time ON handover_requests (at, id);
  CREATE INDEX handover_requests_by_state ON handover_requests (state, at, id);
  CREATE INDEX handover_requests_by_session ON handover_requests (session_id);
  CREATE INDEX handover_requests_by_principal ON handover_requests (principal_id);
  `
