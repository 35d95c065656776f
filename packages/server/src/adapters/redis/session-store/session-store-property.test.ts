// Runs random histories on the session stores in Redis and in memory: on either of two nodes, both give the same answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { memorySessionStore } from '../../memory/session-store.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { redisSessionStore } from './session-store.ts'

const RUNS = 40
const USERS = ['user:one', 'user:two'] as const
const open = cleanRedis()

type Act = (store: SessionStore, now: number) => Promise<unknown>

/** Each id belongs to one principal, because ids are never drawn twice. */
const session = fc.record({ principalId: fc.constantFrom('guest_1', 'a}b'), number: fc.nat(2) }).map((drawn) => ({
  principalId: drawn.principalId,
  id: `sess_${drawn.principalId}_${drawn.number}`,
}))
const text = fc.string({ unit: 'grapheme', maxLength: 8 })

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ session, title: text, agoMs: fc.nat(5) }).map(
    (drawn): Act =>
      (store, now) =>
        store.create({ ...drawn.session, title: drawn.title, createdAt: now, lastActiveAt: now - drawn.agoMs }),
  ),
  fc
    .record({ session, version: fc.nat(4), turn: fc.nat(5), answer: text })
    .map(({ session: { id }, ...drawn }): Act => {
      const turn = sampleStoredTurn({ turnId: `turn_${drawn.turn}`, answer: drawn.answer })
      return (store) => store.append(id, drawn.version, turn)
    }),
  fc.tuple(session, fc.nat(4), text).map(
    ([{ id }, upTo, summary]): Act =>
      (store) =>
        store.summarise(id, upTo, summary),
  ),
  session.map(
    ({ id }): Act =>
      (store) =>
        store.find(id),
  ),
  session.map(
    ({ id }): Act =>
      (store) =>
        store.remove(id),
  ),
  fc.tuple(session, fc.nat(3)).map(
    ([{ id }, limit]): Act =>
      (store) =>
        store.recentTurns(id, limit),
  ),
  fc.tuple(fc.constantFrom('guest_1', 'a}b', ...USERS), fc.nat(3)).map(
    ([principalId, limit]): Act =>
      (store) =>
        store.listOf(principalId, limit),
  ),
  fc.record({ guest: session, user: fc.constantFrom(...USERS) }).map(
    ({ guest, user }): Act =>
      (store) =>
        store.adopt(guest.principalId, user),
  ),
)

const step = fc.record({ act, node: fc.nat(1), laterMs: fc.nat(3) })

test('the session stores in Redis and in memory give the same answers', async (context) => {
  let clock = manualClock()
  const redis = await open(context, { ...clock, now: () => clock.now() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      clock = manualClock()
      await redis.command(undefined, 'FLUSHALL')
      const nodes = [0, 1].map(() => redisSessionStore({ redis, clock, keepMs: 3_600_000 }))
      const oracle = memorySessionStore({ clock })
      for (const { act: perform, node, laterMs } of steps) {
        await clock.advance(laterMs)
        const store = nodes[node]
        assert.ok(store)
        assert.deepEqual(await perform(store, clock.now()), await perform(oracle, clock.now()))
      }
    }),
    { numRuns: RUNS },
  )
})
