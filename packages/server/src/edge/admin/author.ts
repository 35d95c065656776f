// Reads who makes a change and why, for the audit. A reason is one line without hidden characters.
import type { Author } from '#services/admin.ts'
import { readable } from '#lib/text/readable.ts'
import { invalid } from '../http/problem.ts'

/** Fillers and the empty Braille pattern are letters and signs that show nothing. */
const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Throws INVALID_REQUEST for a reason with nothing visible, or with characters that hide or reorder its text. */
export function authorOf(admin: { readonly name: string }, given: string): Author {
  const reason = given.trim().replaceAll(/\s+/g, ' ')
  if (!VISIBLE.test(reason) || readable(reason) !== reason)
    throw invalid('reason', 'needs something visible, and neither control characters nor hidden text')
  return { by: admin.name, reason }
}
