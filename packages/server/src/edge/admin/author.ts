// Who makes a change and why, for the audit. The schema refuses a blank reason.
import type { Author } from '#services/admin.ts'

export function authorOf(admin: { readonly name: string }, reason: string): Author {
  return { by: admin.name, reason: reason.trim() }
}
