// Gives accounts that an earlier version stored under their owners' ids their pseudonyms. Run at the start, before anyone is
// admitted: where all have theirs already it changes nothing.
import type { Database } from '../files/database.ts'

const TABLES = ['day_use', 'holds', 'claims'] as const
/** A day that is there under both names, after a downgrade, is one day: what was used is added. */
const MOVE_DAYS = `INSERT INTO day_use
  SELECT ?, day, input_tokens, output_tokens, cost_micro_usd, messages, forget_at FROM day_use WHERE principal_id = ?
  ON CONFLICT DO UPDATE SET input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd, messages = messages + excluded.messages`

/** `prefix` is what every pseudonym begins with. Answers how many were renamed. */
export function renameAccounts(
  database: Database,
  { nameOf, prefix }: { readonly nameOf: (principalId: string) => string; readonly prefix: string },
): Promise<number> {
  const plain = TABLES.map((table) => `SELECT principal_id FROM ${table} WHERE substr(principal_id, 1, ?) <> ?`)
  return database.write(() => {
    const given = TABLES.flatMap(() => [prefix.length, prefix])
    const found = database.statement(plain.join(' UNION ')).all(...given)
    for (const { principal_id: id } of found) {
      const [own, name] = [String(id), nameOf(String(id))]
      database.statement(MOVE_DAYS).run(name, own)
      database.statement('DELETE FROM day_use WHERE principal_id = ?').run(own)
      database.statement('UPDATE holds SET principal_id = ? WHERE principal_id = ?').run(name, own)
      database.statement('UPDATE OR REPLACE claims SET principal_id = ? WHERE principal_id = ?').run(name, own)
    }
    return found.length
  })
}
