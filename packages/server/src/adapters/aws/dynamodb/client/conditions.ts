// Writes with conditions: whether the conditions held is an answer, not an error. Expressions name attributes as `#name`, because any
// name may be a reserved word.
import { dynamoFailureOf } from './failure.ts'

/** False when a condition of the write failed, so that nothing was written. */
export async function isWritten(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (dynamoFailureOf(error).kind === 'condition') return false
    throw error
  }
}

/** The attributes that the expressions name. */
export function namesIn(...expressions: readonly string[]): Record<string, string> {
  const found = expressions.flatMap((expression) => expression.match(/#\w+/g) ?? [])
  return Object.fromEntries(found.map((name) => [name, name.slice(1)]))
}
