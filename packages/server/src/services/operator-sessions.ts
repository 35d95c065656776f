// Signing in and out of operators, for the audit. A line that cannot be written is logged and refuses nothing: an operator has
// to get in while a store is unavailable, to see it.
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface OperatorSessionQueriesParts {
  readonly admin: Pick<AdminStore, 'note'>
  readonly clock: Clock
  readonly telemetry: Telemetry
}

interface NotedSession {
  readonly name: string
  readonly role: string
  readonly by: 'token' | 'issuer'
}

export function createOperatorSessionQueries({ admin, clock, telemetry }: OperatorSessionQueriesParts) {
  return {
    async noteSession(action: 'signed-in' | 'signed-out', { by: means, name, role }: NotedSession): Promise<void> {
      const session = { role, by: means }
      const [before, after] = action === 'signed-in' ? [null, session] : [session, null]
      const entry = { at: clock.now(), by: name, action, subject: name, before, after, reason: `by ${means}` } as const
      try {
        const { number } = await admin.note(entry)
        telemetry.log('info', 'admin.changed', { action, number, by: name })
      } catch (error) {
        telemetry.log('error', 'admin.audit-write-failed', { action, subject: name, by: name }, error)
      }
      telemetry.count('admin_changed_total', { action })
    },
  }
}
