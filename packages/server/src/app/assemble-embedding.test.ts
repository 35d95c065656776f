// The background work of the embedder, as the app does it: what it costs, and when it does nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { collect } from '#fixtures/time/streams.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import type { EmbeddingUsage, Embeddings } from '#ports/embedder/embeddings.ts'
import type { Spending } from '#turn/costs/spending.ts'
import { createEmbedding } from './assemble-embedding.ts'

const USED: EmbeddingUsage = { calls: 3, inputTokens: 1200, isEstimated: true, costMicroUsd: 24 }

async function setUp({ isDry = false } = {}) {
  const ports = await testPorts()
  const done: string[] = []
  let used: EmbeddingUsage | undefined = USED
  const embeddings = {
    model: 'titan',
    embedMissing: async () => void done.push('embedded'),
    heal: async () => void done.push('healed'),
    takeUsage: () => {
      const taken = used
      used = undefined
      return taken
    },
  } as unknown as Embeddings
  const settled: number[] = []
  const spending: Pick<Spending, 'reserve' | 'settle'> = {
    reserve: async () => (isDry ? ({ account: 'store', resetAt: 0 } as never) : undefined),
    settle: ({ microUsd }) => void settled.push(microUsd),
  }
  const { rounds } = createEmbedding({ ...ports, embeddings }, testConfig, { spending })
  return { ports, done, settled, run: (name: string) => rounds.find((round) => round.name === name)?.work() }
}

test('a round embeds what is missing and writes what was used since the last one to the ledger, once', async () => {
  const { done, ports, run, settled } = await setUp()
  await run('embed')
  await run('embed')
  assert.deepEqual(
    [done, settled],
    [
      ['embedded', 'embedded'],
      [24, 0],
    ],
  )
  const rows = await collect(ports.ledger.rows({}))
  assert.equal(rows.length, 1)
  const { costMicroUsd, estimated, inputTokens, model, outcome, sessionId } = rows[0]!
  assert.deepEqual(
    { costMicroUsd, estimated, inputTokens, model, outcome, sessionId },
    {
      costMicroUsd: 24,
      estimated: true,
      inputTokens: 1200,
      model: 'titan',
      outcome: 'embedding',
      sessionId: 'embedding',
    },
  )
})

test('when the day’s ceiling is reached nothing is embedded, and questions are still charged', async () => {
  const { done, run, settled } = await setUp({ isDry: true })
  await run('embed')
  assert.deepEqual([done, settled], [[], [24]])
})

test('the circuit is probed by a round of its own, and without an embedder there is no round', async () => {
  const { done, ports, run } = await setUp()
  await run('heal-embedder')
  assert.deepEqual(done, ['healed'])
  const spending = { reserve: async () => undefined, settle: () => {} }
  assert.deepEqual(createEmbedding(ports, testConfig, { spending }).rounds, [])
})
