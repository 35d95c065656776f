// A guest who signs in keeps the conversations: the user adopts them before the response, so that the first list on the
// page has them. When the store cannot do that now, no request waits for it, and the guest's own proof stays valid for
// another attempt.
import type { App } from '#app/app.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

/** Returns whether it is done, so that the guest no longer exists. */
export type Adopt = (guestId: string, user: Principal) => Promise<boolean>

export function createAdopt({ app, telemetry }: { app: Pick<App, 'adopt'>; telemetry: Telemetry }): Adopt {
  return async (guestId, user) => {
    try {
      await app.adopt(guestId, user)
      telemetry.count('auth_guests_merged_total')
      return true
    } catch (error) {
      telemetry.log('warn', 'auth.guest-merge-failed', {}, error)
      return false
    }
  }
}
