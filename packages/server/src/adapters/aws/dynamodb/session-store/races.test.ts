// Two nodes change one conversation, and one does so exactly between the read and the write of the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemRandom } from '#adapters/system/random.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { itemsIn } from '#fixtures/stores/conversation-items.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import { LISTED_EVERY_MS } from './heads.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const KEEP_MS = 8 * 24 * 3_600_000
const USER = 'user:one'
const open = cleanDynamo([sessionsTable])

/** The next transaction of the slow node is preceded by what the quick node does. */
async function setUp(context: TestContext) {
  const { another, dynamo } = await open(context)
  const clock = manualClock()
  const options = { clock, random: systemRandom(), keepMs: KEEP_MS }
  const quick = dynamoSessionStore({ ...options, dynamo: another() })
  let meanwhile: ((store: SessionStore) => Promise<unknown>) | undefined
  const slow = dynamoSessionStore({
    ...options,
    dynamo: {
      ...dynamo,
      async transactWrite(input) {
        const first = meanwhile
        meanwhile = undefined
        await first?.(quick)
        return dynamo.transactWrite(input)
      },
    },
  })
  const between = (work: (store: SessionStore) => Promise<unknown>) => {
    meanwhile = work
  }
  const entriesOf = async (principalId: string) => itemsIn(dynamo, `principal#${principalId}`)
  return { slow, quick, between, clock, entriesOf, left: () => itemsIn(dynamo, 'conversation#sess_1') }
}

const turn = (turnId: string) => sampleStoredTurn({ turnId })

test('an append that renews the owner’s entry during an adoption: the entry is the user’s, and it is current', async (context) => {
  const { between, clock, entriesOf, quick, slow } = await setUp(context)
  await slow.create(sampleSession())
  await clock.advance(2 * LISTED_EVERY_MS)
  between((store) => store.append('sess_1', 0, turn('turn_1')))
  await slow.adopt('guest_1', USER)
  assert.deepEqual(await entriesOf('guest_1'), [])
  assert.deepEqual(
    (await entriesOf(USER)).map(({ listedAt, sk }) => [listedAt, sk]),
    [[clock.now(), 'sess_1']],
  )
  assert.equal((await quick.listOf(USER, 5))[0]?.version, 1)
})

test('an adoption during an append that renews the owner’s entry leaves the guest none', async (context) => {
  const { between, clock, entriesOf, slow } = await setUp(context)
  await slow.create(sampleSession())
  await clock.advance(2 * LISTED_EVERY_MS)
  between((store) => store.adopt('guest_1', USER))
  assert.deepEqual(await slow.append('sess_1', 0, turn('turn_1')), { kind: 'appended', version: 1 })
  assert.deepEqual(await entriesOf('guest_1'), [])
  assert.equal((await entriesOf(USER)).length, 1)
})

test('an adoption during an ordinary append changes nothing for it', async (context) => {
  const { between, slow } = await setUp(context)
  await slow.create(sampleSession())
  between((store) => store.adopt('guest_1', USER))
  assert.deepEqual(await slow.append('sess_1', 0, turn('turn_1')), { kind: 'appended', version: 1 })
  assert.deepEqual([(await slow.find('sess_1'))?.principalId, (await slow.listOf(USER, 5)).length], [USER, 1])
})

test('an append that another node was faster with is a conflict, and a repeat of the same turn is not', async (context) => {
  const { between, slow } = await setUp(context)
  await slow.create(sampleSession())
  between((store) => store.append('sess_1', 0, turn('turn_other')))
  assert.deepEqual(await slow.append('sess_1', 0, turn('turn_1')), { kind: 'conflict', version: 1 })
  between((store) => store.append('sess_1', 1, turn('turn_1')))
  assert.deepEqual(await slow.append('sess_1', 1, turn('turn_1')), { kind: 'appended', version: 2 })
})

test('a conversation that is removed during an append stays without its turn', async (context) => {
  const { between, left, slow } = await setUp(context)
  await slow.create(sampleSession())
  between((store) => store.remove('sess_1'))
  assert.deepEqual(await slow.append('sess_1', 0, turn('turn_1')), { kind: 'gone' })
  assert.deepEqual(await left(), [])
})

test('a conversation that is begun again with the same id during an append has all turns of its new life', async (context) => {
  const { between, quick, slow } = await setUp(context)
  await slow.create(sampleSession())
  await slow.append('sess_1', 0, turn('turn_1'))
  between(async (store) => {
    await store.remove('sess_1')
    await store.create(sampleSession())
    await store.append('sess_1', 0, turn('turn_2'))
  })
  assert.deepEqual(await slow.append('sess_1', 1, turn('turn_3')), { kind: 'appended', version: 2 })
  for (const store of [slow, quick])
    assert.deepEqual(await store.recentTurns('sess_1', 5), [turn('turn_2'), turn('turn_3')])
})

test('a summary of a conversation that another node has summarised further is not stored', async (context) => {
  const { between, slow } = await setUp(context)
  await slow.create(sampleSession())
  for (const version of [0, 1]) await slow.append('sess_1', version, turn(`turn_${version}`))
  between((store) => store.summarise('sess_1', 2, 'further'))
  assert.equal(await slow.summarise('sess_1', 1, 'late'), false)
  assert.equal((await slow.find('sess_1'))?.summary?.text, 'further')
})
