// Replaces the owners' ids of an earlier version's accounts by pseudonyms. Runs at the start, before the first admission;
// where every account has its pseudonym it changes nothing.
import type { Database } from '../files/database.ts'

const TABLES = ['day_use', 'holds', 'claims'] as const
/** After a downgrade a day can exist under both names: the two uses are added. */
const MOVE_DAYS = `INSERT INTO day_use
  SELECT ?, day, input_tokens, output_tokens, cost_micro_usd, messages, forget_at FROM day_use WHERE principal_id = ?
  ON CONFLICT DO UPDATE SET input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd, messages = messages + excluded.messages`

/** Every pseudonym begins with `prefix`. Returns the number of renamed accounts. */
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
