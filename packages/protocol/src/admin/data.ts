// The backup of a node. The export and erasure of a user have the same responses as `/api/me` (`person.ts`).
import Type from 'typebox'
import type { Static } from 'typebox'
import { Reason } from './common.ts'

export const BackupRequest = Type.Object({
  /** The name of a new folder among the server's backups. */
  folder: Type.String({ minLength: 1, maxLength: 128 }),
  reason: Reason,
})
export type BackupRequest = Static<typeof BackupRequest>

export const BackupView = Type.Object({
  /** Where it is, on the server's machine. */
  folder: Type.String(),
  bytes: Type.Integer(),
})
export type BackupView = Static<typeof BackupView>
