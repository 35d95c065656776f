// Random histories on two nodes, whose calls are throttled, fail and lose their replies: the session stores in DynamoDB and in memory give the
// same answers, also when a node gives up halfway and the other one continues.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { memorySessionStore } from '#adapters/memory/session-store.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import type { DynamoFault } from '#fixtures/stores/dynamo-faults.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleStoredTurn } from '#fixtures/turns/samples.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const RUNS = 6
const TRIES_MAX = 50
/** Lists show hours: some steps are longer. */
const HOUR_MS = 3_600_000
const USERS = ['user:one', 'user:two'] as const
const GUESTS = ['guest_1', 'guest_2'] as const
const PASSED = Array.from({ length: 5 }, () => undefined)
/** The calls that can meet a fault; others can meet any. */
const ONLY: Readonly<Partial<Record<DynamoFault, RegExp>>> = { partial: /^Batch/, conflict: /^TransactWrite/ }
const open = cleanDynamo([sessionsTable])

interface Moment {
  readonly now: number
  /** The version of a conversation; 0 if it is missing. */
  readonly versions: ReadonlyMap<string, number>
}

interface Act {
  readonly does: (store: SessionStore, moment: Moment) => Promise<unknown>
  /** A repeat after a lost reply answers that it changed nothing. */
  readonly isOnce?: true
}

/** Each id belongs to one principal, because ids are never drawn twice. */
const SESSIONS = GUESTS.flatMap((principalId) =>
  [0, 1].map((number) => ({ id: `sess_${principalId}_${number}`, principalId })),
)
const session = fc.constantFrom(...SESSIONS)
const sessionId = session.map(({ id }) => id)
const text = fc.string({ unit: 'grapheme', maxLength: 8 })
const acts = (weight: number, arbitrary: fc.Arbitrary<Act>) => ({ weight, arbitrary })

const act: fc.Arbitrary<Act> = fc.oneof(
  acts(
    4,
    fc.record({ session, title: text, agoMs: fc.nat(5) }).map((drawn) => ({
      does: (store, { now }) =>
        store.create({ ...drawn.session, title: drawn.title, createdAt: now, lastActiveAt: now - drawn.agoMs }),
    })),
  ),
  acts(
    12,
    // Mostly at the version that it has, with turns that are new or known.
    fc
      .record({ id: sessionId, off: fc.constantFrom(0, 0, 0, 0, -1, 1), turn: fc.nat(8), answer: text })
      .map((drawn) => {
        const turn = sampleStoredTurn({ turnId: `turn_${drawn.turn}`, answer: drawn.answer })
        return {
          does: (store, { versions }) => store.append(drawn.id, (versions.get(drawn.id) ?? 0) + drawn.off, turn),
        }
      }),
  ),
  acts(
    2,
    fc.tuple(sessionId, fc.nat(4), text).map(([id, upTo, summary]) => ({
      does: (store) => store.summarise(id, upTo, summary),
      isOnce: true,
    })),
  ),
  acts(
    2,
    sessionId.map((id) => ({ does: (store) => store.find(id) })),
  ),
  acts(
    2,
    sessionId.map((id) => ({ does: (store) => store.remove(id) })),
  ),
  acts(
    6,
    fc.tuple(sessionId, fc.nat(6)).map(([id, limit]) => ({ does: (store) => store.recentTurns(id, limit) })),
  ),
  acts(
    4,
    fc
      .tuple(fc.constantFrom(...GUESTS, ...USERS), fc.nat(3))
      .map(([principalId, limit]) => ({ does: (store) => store.listOf(principalId, limit) })),
  ),
  acts(
    2,
    fc
      .tuple(fc.constantFrom(...GUESTS), fc.constantFrom(...USERS))
      .map(([guest, user]) => ({ does: (store) => store.adopt(guest, user) })),
  ),
)

const step = fc.record({
  act,
  node: fc.nat(1),
  laterMs: fc.oneof(fc.nat(3), fc.integer({ min: HOUR_MS / 2, max: 2 * HOUR_MS })),
  /** The faults of its calls, in order. */
  faults: fc.array(
    fc.constantFrom<DynamoFault | undefined>(...PASSED, 'throttle', 'lose-reply', 'fail', 'partial', 'conflict'),
    { maxLength: 4 },
  ),
})

test('the session stores in DynamoDB and in memory give the same answers, whatever the calls meet', async (context) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 60 }), async (steps) => {
      const { another, dynamo, faults } = await open(context)
      const clock = manualClock()
      // Pauses between repetitions take no time.
      const options = { clock: { ...clock, sleep: async () => {} }, random: systemRandom(), keepMs: 40 * HOUR_MS }
      const nodes = [dynamo, another()].map((client) => dynamoSessionStore({ ...options, dynamo: client }))
      const oracle = memorySessionStore({ clock })
      for (const { act: performed, node, laterMs, faults: spoiled } of steps) {
        await clock.advance(laterMs)
        await oracle.sweep(clock.now() - options.keepMs + 1, Number.MAX_SAFE_INTEGER)
        const found = await Promise.all(
          SESSIONS.map(async ({ id }) => [id, (await oracle.find(id))?.version ?? 0] as const),
        )
        const moment = { now: clock.now(), versions: new Map(found) }
        const queue = [...spoiled]
        faults.spoil(({ operation }) => {
          const fault = queue.shift()
          return fault !== undefined && ONLY[fault]?.test(operation) === false ? undefined : fault
        })
        const { answer, tries } = await untilAnswered(nodes, node, (store) => performed.does(store, moment))
        const expected = await performed.does(oracle, moment)
        if (performed.isOnce === undefined || tries === 1) assert.deepEqual(answer, expected)
      }
      faults.spoil(() => undefined)
      for (const principalId of [...GUESTS, ...USERS])
        for (const store of nodes)
          assert.deepEqual(await store.listOf(principalId, 10), await oracle.listOf(principalId, 10))
    }),
    { numRuns: RUNS },
  )
})

/** The nodes take turns until one gets an answer. */
async function untilAnswered<Answer>(
  nodes: readonly SessionStore[],
  first: number,
  ask: (store: SessionStore) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly tries: number }> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const store = nodes[(first + tries - 1) % nodes.length]
    assert.ok(store)
    const answer = await orUnavailable(() => ask(store))
    if (!(answer instanceof StoreUnavailable)) return { answer, tries }
  }
  return assert.fail('no answer')
}
