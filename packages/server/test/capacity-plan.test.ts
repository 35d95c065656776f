// The plan of a fleet follows from what a turn uses and from the inputs, by figures that can be checked by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInputs } from '../../../bench/capacity/inputs.ts'
import { planFor } from '../../../bench/capacity/plan.ts'

const inputs = {
  priceDate: '2026-01-01',
  region: 'test',
  traffic: { peakFactor: 10, turnsPerConversation: 4 },
  node: { coreShareMax: 0.5, nodesMin: 3, memoryGiB: 2, usdPerVcpuHour: 0.04, usdPerGiBHour: 0.005 },
  redis: { coreShareMax: 0.25, replicasPerShard: 1, memoryShareMax: 0.5, memoryGiB: 8, usdPerNodeHour: 0.2 },
  dynamodb: {
    usdPerMillionWrites: 1,
    usdPerMillionReads: 0.5,
    usdPerGiBMonth: 0.3,
    usdPerGiBMonthOfRecovery: 0.2,
    conversationDays: 8,
    ledgerDays: 100,
  },
  opensearch: { nodesMin: 3, queriesPerSecondPerNode: 20, usdPerNodeHour: 0.1, usdPerNodeMonthOfStorage: 10 },
  balancer: { usdPerMonth: 20, usdPerMillionMessages: 0.1 },
}
const use = {
  nodeCpuMs: 10,
  redisCpuMs: 5,
  redisCalls: 20,
  redisBytes: 1024,
  dynamodb: { sessions: { reads: 2, writes: 6, calls: 3 }, ledger: { reads: 0, writes: 4, calls: 1 } },
  storedBytes: { sessions: 0, ledger: 1024 },
}

const call = {
  call: { inputTokens: 900, outputTokens: 100, maxOutputTokens: 100 },
  models: [{ name: 'primary', callMs: 2000, connectionsMax: 25 }],
  runningMax: 4000,
  quotaBurstMs: 0,
}
const planOf = (messagesPerDay: number, turn = use) => planFor(messagesPerDay, { turn, call }, inputs)

test('nodes, shards and units follow from the peak, and money from the month', () => {
  // 864,000 a day are 10 a second, 100 at the peak: one core, five hundredths of a core for a turn in Redis.
  const plan = planOf(864_000)
  assert.equal(plan.peakPerSecond, 100)
  assert.equal(plan.nodes, 3, '1 core at half of a core each, and one more')
  assert.equal(plan.redisShards, 2, '0.5 of a core at a quarter each; an hour takes a third of a GiB')
  assert.equal(plan.writesPerSecondAtPeak, 1000)
  assert.equal(plan.opensearchNodes, 5)
  const { all, ...parts } = plan.usdPerMonth
  assert.equal(Math.round(parts.nodes), 108)
  assert.equal(Math.round(parts.redis), 576)
  const gib = (864_000 * 1024 * 100) / 1024 ** 3
  assert.ok(Math.abs(parts.dynamodb - (25.92 * (10 + 1) + gib * 0.5)) < 1e-6, String(parts.dynamodb))
  assert.equal(parts.opensearch, 5 * (0.1 * 720 + 10))
  assert.equal(
    all,
    Object.values(parts).reduce((sum, usd) => sum + usd, 0),
  )
})

test('a quiet shop has the least number of nodes, and memory counts where it is the bound', () => {
  const quiet = planOf(1000)
  assert.deepEqual([quiet.nodes, quiet.redisShards, quiet.opensearchNodes], [3, 1, 3])
  const large = planOf(864_000, { ...use, redisCpuMs: 0, redisBytes: 1024 * 1024 })
  assert.equal(large.redisShards, Math.ceil((100 * 3600) / 1024 / 4))
})

test('the quota to ask for is that of a peak that lasts, with a quarter to spare', () => {
  const [model] = planOf(864_000).quota.models
  assert.deepEqual(model, { name: 'primary', tokensPerMinute: 100 * 1000 * 60 * 1.25, callsInFlight: 100 * 2 * 1.25 })
})

test('the inputs that are bundled have a day and no price of zero', () => {
  const { dynamodb, node, opensearch, priceDate, redis } = readInputs()
  assert.match(priceDate, /2026/)
  const prices = { ...dynamodb, ...node, ...opensearch, ...redis }
  for (const [name, price] of Object.entries(prices)) assert.ok(price > 0, name)
})
