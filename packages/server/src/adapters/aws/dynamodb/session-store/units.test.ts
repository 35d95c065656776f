// The capacity units that conversations in DynamoDB cost, which is what AWS bills: a change that makes a turn dearer fails here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemRandom } from '#adapters/system/random.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const open = cleanDynamo([sessionsTable])
/** 1.9 KB as JSON, 3/4 of them the answer: with cards, sources and offers a usual turn. */
const USUAL = sampleStoredTurn({
  answer:
    '『進撃の巨人』がお好きなら、まず『東京喰種』をおすすめします。人と人でないものの境目を描く重い物語で、全14巻が揃っています。'.repeat(
      3,
    ) +
    '次に『亜人』『寄生獣』『約束のネバーランド』。どれも世界の秘密が少しずつ明かされ、先が気になって止まりません。在庫は全巻ございます。',
  productIds: ['tokyo-ghoul', 'ajin', 'parasyte', 'yakusoku-no-neverland'],
  suggestions: [
    { label: '東京喰種の値段', message: '東京喰種は全巻でいくらですか？' },
    { label: 'もっと短いもの', message: '10巻以内で完結するものはありますか？' },
  ],
  sources: ['tokyo-ghoul', 'ajin', 'parasyte'].map((id) => ({ kind: 'product', id, at: '2026-11-04T03:00:00.000Z' })),
  page: { productId: 'shingeki', path: '/series/shingeki' },
  askedAt: 1_793_761_200_000,
})

type Cost = readonly [calls: number, readUnits: number, writeUnits: number]

async function setUp(context: TestContext) {
  const { another, dynamo, telemetry } = await open(context)
  const clock = manualClock()
  const options = { clock, random: systemRandom(), keepMs: 8 * 24 * 3_600_000 }
  const [one, two] = [dynamo, another()].map((client) => dynamoSessionStore({ ...options, dynamo: client }))
  assert.ok(one && two)
  const cost = async (work: () => Promise<unknown>): Promise<Cost> => {
    const [calls, units] = [telemetry.counted.length, telemetry.observed.length]
    await work()
    const sum = (kind: string) =>
      telemetry.observed
        .slice(units)
        .filter(({ fields }) => fields['kind'] === kind)
        .reduce((total, { value }) => total + value, 0)
    return [telemetry.counted.length - calls, sum('read'), sum('write')]
  }
  return { one, two, clock, cost }
}

/** Calls, read units, write units. A write in a transaction costs two units for each item of at most 1 KB. */
const COSTS = {
  'a new conversation': [1, 0, 4],
  'a turn': [1, 0, 6],
  'a turn after an hour': [1, 0, 8],
  'a turn on a node that does not know the conversation': [2, 1, 6],
  // Besides, a transaction that fails is paid for; the emulator does not say so.
  'a turn that another node was faster with': [4, 3, 0],
  'the head': [1, 1, 0],
  'the last 20 turns, of which the node wrote 19': [2, 1.5, 0],
  'the same again': [1, 1, 0],
  'the last 20 turns, on a node that wrote one': [2, 3, 0],
  'a list of two': [2, 3, 0],
  'a summary': [2, 1, 4],
  'an adoption of two': [4, 3, 12],
  'a removal with 23 turns': [5, 5, 52],
} as const satisfies Readonly<Record<string, Cost>>

const skip = process.env['DYNAMODB_ENDPOINT'] !== undefined && 'DynamoDB Local counts a transaction as one item'

test('what each step of a conversation costs', { skip }, async (context) => {
  const { clock, cost, one, two } = await setUp(context)
  const turn = () => ({ ...USUAL, turnId: systemRandom().id('turn') })
  const figures: Partial<Record<keyof typeof COSTS, Cost>> = {}
  const measure = async (name: keyof typeof COSTS, work: () => Promise<unknown>) => {
    figures[name] = await cost(work)
  }
  await measure('a new conversation', () => one.create(sampleSession({ id: systemRandom().id('sess') })))
  await one.create(sampleSession())
  for (let version = 0; version < 20; version += 1) await one.append('sess_1', version, turn())
  await measure('a turn', () => one.append('sess_1', 20, turn()))
  await clock.advance(3_600_000)
  await measure('a turn after an hour', () => one.append('sess_1', 21, turn()))
  await measure('a turn on a node that does not know the conversation', () => two.append('sess_1', 22, turn()))
  await measure('a turn that another node was faster with', () => one.append('sess_1', 22, turn()))
  await measure('the head', () => one.find('sess_1'))
  await measure('the last 20 turns, of which the node wrote 19', () => one.recentTurns('sess_1', 20))
  await measure('the same again', () => one.recentTurns('sess_1', 20))
  await measure('the last 20 turns, on a node that wrote one', () => two.recentTurns('sess_1', 20))
  await measure('a list of two', () => one.listOf('guest_1', 50))
  await measure('a summary', () => one.summarise('sess_1', 10, 'ホラーは苦手。完結した作品を好む。'.repeat(20)))
  await measure('an adoption of two', () => one.adopt('guest_1', 'user:one'))
  await measure('a removal with 23 turns', () => one.remove('sess_1'))
  assert.deepEqual(figures, COSTS)
})
