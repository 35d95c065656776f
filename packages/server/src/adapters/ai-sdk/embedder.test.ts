// Embedding models of the AI SDK against the simulator, through a real provider package.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedderFaultSuite, simulatedEmbedder } from '#fixtures/models/embedder-faults.contract.ts'
import type { MakeVendorEmbedder } from '#fixtures/models/embedder-faults.contract.ts'
import { vendorClock } from '#fixtures/models/vendor-models.ts'
import { NEVER } from '#lib/async/never.ts'
import { embedderContract } from '#ports/embedder/contract.ts'
import { loadEmbeddingModel } from './client.ts'
import { aiSdkEmbedder } from './embedder.ts'

const PACKAGE = '@ai-sdk/openai-compatible'
const over =
  (asksDimensions: boolean): MakeVendorEmbedder =>
  async (url) => {
    const settings = { name: 'simulated', baseURL: `${url}/v1`, apiKey: 'simulated' }
    const embeddingModel = await loadEmbeddingModel(PACKAGE, 'text-embedding-3-small', settings)
    const dimensions = asksDimensions ? 256 : 1536
    return aiSdkEmbedder({
      id: 'text-embedding-3-small',
      dimensions,
      asksDimensions,
      embeddingModel,
      clock: vendorClock,
    })
  }

embedderContract('ai-sdk embedder', async (context) => (await simulatedEmbedder(context, over(true))).embedder)
embedderFaultSuite('ai-sdk embedder', over(true))

test('ai-sdk embedder: dimensions are asked for only where they are configured', async (context) => {
  for (const asks of [true, false]) {
    const { embedder, simulator } = await simulatedEmbedder(context, over(asks))
    await embedder.embed({ texts: ['a', 'b'], purpose: 'document', signal: NEVER })
    assert.deepEqual(simulator.attempts()[0]?.body, {
      model: 'text-embedding-3-small',
      input: ['a', 'b'],
      encoding_format: 'float',
      ...(asks ? { dimensions: 256 } : {}),
    })
  }
})

test('ai-sdk embedder: a vendor with its own name of the purpose is sent it, and its limit of texts is obeyed', async () => {
  const asked: unknown[] = []
  const embeddingModel = {
    maxEmbeddingsPerCall: Promise.resolve(3),
    async doEmbed(options: object) {
      asked.push({ ...options, abortSignal: undefined })
      return { embeddings: [[3, 4]], usage: { tokens: 7 } }
    },
  }
  const embedder = await aiSdkEmbedder({
    id: 'x',
    dimensions: 2,
    asksDimensions: false,
    embeddingModel,
    clock: vendorClock,
  })
  assert.equal(embedder.textsPerCallMax, 3)
  const answer = await embedder.embed({ texts: ['a'], purpose: 'question', signal: NEVER })
  assert.deepEqual(answer, { kind: 'vectors', vectors: [Float32Array.of(0.6, 0.8)], inputTokens: 7 })
  assert.deepEqual(asked, [
    {
      values: ['a'],
      abortSignal: undefined,
      providerOptions: {
        cohere: { inputType: 'search_query' },
        google: { taskType: 'RETRIEVAL_QUERY' },
        voyage: { inputType: 'query' },
      },
    },
  ])
})

test('ai-sdk embedder: a package without embedding models is reported', async () => {
  const settings = { name: 'x', apiKey: 'simulated' }
  await assert.rejects(loadEmbeddingModel('node:path', 'x', settings), /no create… function/)
})
