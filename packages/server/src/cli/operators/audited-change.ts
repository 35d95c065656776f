// What commands that change something on a running server share: the reason that they must have, and the line of the audit that they print.
import type { AdminClient } from '@mangaassist/client/admin'
import type { AuditLine } from '@mangaassist/protocol/admin'
import { oneLine } from '#lib/text/readable.ts'
import { UsageError } from '../command.ts'
import { printFound } from '../output/print-found.ts'
import type { FoundOutput } from '../output/print-found.ts'

/** What a command does once its words are understood. */
export type AdminRun = (api: AdminClient, output: FoundOutput) => Promise<number>

/** Throws a UsageError where it is missing. */
export function requiredReason(reason: string | undefined): string {
  if (reason === undefined || reason.trim() === '') throw new UsageError('--reason WHY is missing.')
  return reason
}

export function auditedChange(make: (api: AdminClient) => Promise<AuditLine>): AdminRun {
  return async (api, output) => {
    const words = ({ action, by, number, subject }: AuditLine) =>
      oneLine(`${action}: ${subject}, by ${by}; line ${number} of the audit`)
    printFound(output, await make(api), words)
    return 0
  }
}
