// A move that cannot be made, or not yet; the message says what the operator can do about it. Nothing was written.

export class MigrationRefused extends Error {
  readonly code = 'CANNOT_MIGRATE'
}
