// Operations on stored data for operators: export and erasure of a person's data, and backups. Each of them is a line of the
// audit, which names the user.
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Author } from './admin.ts'
import type { createPersonQueries } from './person.ts'

/** Copies everything to a new folder of this name among the backups; returns it and its size, or why it cannot be used. */
export type BackUp = (
  name: string,
) => Promise<{ readonly folder: string; readonly bytes: number } | { readonly refused: string }>

export interface DataQueriesParts {
  readonly clock: Clock
  readonly admin: AdminStore
  readonly person: ReturnType<typeof createPersonQueries>
  readonly backUp?: BackUp
}

export function createDataQueries({ admin, backUp, clock, person }: DataQueriesParts) {
  return {
    async exportUser(userId: string, { by, reason }: Author) {
      await admin.note({
        at: clock.now(),
        by,
        reason,
        action: 'data-exported',
        subject: userId,
        before: null,
        after: null,
      })
      return person.exportPerson(userId)
    },
    async eraseUser(userId: string, { by, reason }: Author) {
      const erased = await person.erasePerson(userId)
      const after = { ...erased, kept: undefined }
      await admin.note({ at: clock.now(), by, reason, action: 'data-erased', subject: userId, before: null, after })
      return erased
    },
    /** Throws a Refusal if this server has no files to copy, or if the folder cannot be used. */
    async backUpTo(name: string, { by, reason }: Author) {
      if (backUp === undefined) throw new Refusal('INVALID_REQUEST', { details: { reason: 'not-stored-here' } })
      const done = await backUp(name)
      if ('refused' in done)
        throw new Refusal('INVALID_REQUEST', { details: { field: 'folder', reason: done.refused } })
      await admin.note({
        at: clock.now(),
        by,
        reason,
        action: 'backed-up',
        subject: 'service',
        before: null,
        after: done,
      })
      return done
    },
  }
}
