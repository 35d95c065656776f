// Stored data: the backup of a node. A user's export and erasure answer as `/api/me` does (`person.ts`).
import Type from 'typebox'
import type { Static } from 'typebox'
import { Reason } from './common.ts'

export const BackupRequest = Type.Object({ folder: Type.String({ minLength: 1, maxLength: 4096 }), reason: Reason })
export type BackupRequest = Static<typeof BackupRequest>

export const BackupView = Type.Object({ bytes: Type.Integer() })
export type BackupView = Static<typeof BackupView>
