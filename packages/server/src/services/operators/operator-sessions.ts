// Signing in of operators, for the audit. A line that cannot be written is logged and refuses nothing: an operator has
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
    async noteSignIn({ by: means, name, role }: NotedSession): Promise<void> {
      const action = 'signed-in'
      const about = { action, subject: name, before: null, after: { role, by: means } } as const
      const entry = { at: clock.now(), by: name, reason: `by ${means}`, ...about }
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
