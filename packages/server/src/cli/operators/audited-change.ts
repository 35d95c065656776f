// What commands that change something on a running server share: the reason that they must have, and the line of the audit that they print.
import type { AdminClient } from '@mangaassist/client/admin'
import type { AuditLine } from '@mangaassist/protocol/admin'
import { UsageError } from '../command.ts'
import type { Terminal } from '../command.ts'

/** What a command does once its words are understood. */
export type AdminRun = (
  api: AdminClient,
  output: { readonly stdout: Terminal['stdout']; readonly isJson: boolean },
) => Promise<number>

/** Throws a UsageError where it is missing. */
export function requiredReason(reason: string | undefined): string {
  if (reason === undefined || reason.trim() === '') throw new UsageError('--reason WHY is missing.')
  return reason
}

export function auditedChange(make: (api: AdminClient) => Promise<AuditLine>): AdminRun {
  return async (api, { stdout, isJson }) => {
    const line = await make(api)
    const { action, by, number, subject } = line
    stdout.write(
      isJson ? `${JSON.stringify(line)}\n` : `${action}: ${subject}, by ${by}; line ${number} of the audit\n`,
    )
    return 0
  }
}
