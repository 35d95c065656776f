// Runs random histories of admissions, renewals, settlements and passing time on the budgets in SQLite and in memory: both
// must give the same answers, and the sums must balance after every step.
import { test } from 'node:test'
import fc from 'fast-check'
import type { Hold } from '#domain/budget/quota.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { assertAlike, assertGrantWithin, Books, histories, perform } from '#fixtures/budgets/budget-histories.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { memoryBudgets } from '../../memory/budgets.ts'
import { sqliteBudgets } from './budgets.ts'

const RUNS = 60

test('budgets: SQLite and memory give the same answers to any history, and the sums balance', async (context) => {
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const clock = manualClock()
      const database = tempDatabase(context, clock)
      await assertAlike(sqliteBudgets({ database, clock }), clock, steps)
      database.close()
    }),
    { numRuns: RUNS },
  )
})

test('budgets: a grant never exceeds the limit of a budget, even of an overdrawn one', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const clock = manualClock()
      const state = memoryBudgets({ clock })
      const books = new Books()
      for (const step of steps) {
        for (const sent of books.sent(step)) {
          const answer = (await perform(state, sent)) as { hold?: Hold } | undefined
          if (books.note(sent, answer) && answer?.hold !== undefined) await assertGrantWithin(state, answer.hold)
        }
        await clock.advance(step.thenMs)
      }
    }),
    { numRuns: RUNS },
  )
})
