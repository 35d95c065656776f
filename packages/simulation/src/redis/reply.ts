// The reply of a command: an integer, bytes, null, a status such as OK, or a list of these.

export interface Status {
  readonly ok: string
}

export type Reply = number | string | null | Status | readonly Reply[]

export const OK: Status = { ok: 'OK' }

/** An error reply: the command was refused and did nothing. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

export function isList(reply: Status | readonly Reply[]): reply is readonly Reply[] {
  return Array.isArray(reply)
}
