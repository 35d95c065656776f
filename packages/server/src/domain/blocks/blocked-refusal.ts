// How a blocked caller is refused, whichever door it uses and whatever of it is blocked. The refusal does not say what is blocked, by whom or until when.
import { Refusal } from '../refusal.ts'

export const blockedRefusal = (): Refusal => new Refusal('FORBIDDEN', { details: { reason: 'blocked' } })
