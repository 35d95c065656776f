// The backup of a node. The export and erasure of a user have the same responses as `/api/me` (`person.ts`).
import Type from 'typebox'
import type { Static } from 'typebox'
import { Reason } from './common.ts'

export const BackupRequest = Type.Object({ folder: Type.String({ minLength: 1, maxLength: 4096 }), reason: Reason })
export type BackupRequest = Static<typeof BackupRequest>

export const BackupView = Type.Object({ bytes: Type.Integer() })
export type BackupView = Static<typeof BackupView>
