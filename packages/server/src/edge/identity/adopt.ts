// A guest who signs in keeps the conversations. That is done on the way to the answer, so that the first list a page asks
// for has them; a store that cannot do it now holds nobody up, and the guest's own proof stays for another try.
import type { App } from '#app/app.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

/** Whether it is done, and the guest is nobody any more. */
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
