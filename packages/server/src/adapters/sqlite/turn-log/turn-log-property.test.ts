// Runs random histories of turns on the turn logs in SQLite and in memory and on one that never trims: all give the same
// answers, and the two that trim do so at the same records, before and after a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TurnLog } from '#ports/turn-log/port.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { runAgainst, turnLogCommands } from '#fixtures/turns/turn-log-commands.ts'
import { memoryTurnLog } from '../../memory/turn-log.ts'
import { sqliteTurnLog } from './turn-log.ts'

const RUNS = 60
const BOUNDS = { recordsMax: 8, bytesMax: 4096 }
/** So few that open turns are rewritten often. */
const TAIL_ROWS_MAX = 4
const UNBOUNDED = { recordsMax: Infinity, bytesMax: Infinity }

test('turn log: SQLite and memory give the same answers to any history, trimmed or not', async (context) => {
  const database = tempDatabase(context, manualClock())
  // Another test proves durability; here a sync would only slow the test on a slow disk.
  database.statement('PRAGMA synchronous = OFF').get()
  await fc.assert(
    fc.asyncProperty(turnLogCommands(BOUNDS), async (commands) => {
      const clock = manualClock()
      await database.write(() => database.statement('DELETE FROM turns').run())
      const sqlite = sqliteTurnLog({ database, clock, bounds: BOUNDS, tailRowsMax: TAIL_ROWS_MAX })
      await runAgainst(
        { model: memoryTurnLog({ clock, bounds: UNBOUNDED }), real: sqlite, clock, bounds: BOUNDS },
        commands,
      )

      const again = manualClock()
      const memory = memoryTurnLog({ clock: again, bounds: BOUNDS })
      await runAgainst(
        { model: memoryTurnLog({ clock: again, bounds: UNBOUNDED }), real: memory, clock: again, bounds: BOUNDS },
        commands,
      )
      const expected = await allOf(memory)
      assert.deepEqual(await allOf(sqlite), expected)
      const restarted = sqliteTurnLog({ database, clock, bounds: BOUNDS })
      assert.deepEqual(await allOf(restarted), expected, 'and so after a restart')
    }),
    { numRuns: RUNS },
  )
})

function allOf(log: TurnLog): Promise<unknown> {
  return Promise.all([0, 1, 2].map((number) => log.read(`turn_${number}`, -1)))
}
