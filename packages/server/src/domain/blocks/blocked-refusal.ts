// How a blocked caller is refused, whichever door it uses and whatever of it is blocked. It is not told what, by whom or until when.
import { Refusal } from '../refusal.ts'

export const blockedRefusal = (): Refusal => new Refusal('FORBIDDEN', { details: { reason: 'blocked' } })
