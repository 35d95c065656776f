// Titan and Cohere on Bedrock against the simulator, through the AWS SDK: the contract, the faults and the exact requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedderFaultSuite, simulatedEmbedder } from '#fixtures/models/embedder-faults.contract.ts'
import type { MakeVendorEmbedder } from '#fixtures/models/embedder-faults.contract.ts'
import { SHORT_LIMITS, vendorClock } from '#fixtures/models/vendor-models.ts'
import { NEVER } from '#lib/async/never.ts'
import { embedderContract } from '#ports/embedder/contract.ts'
import { embeddingFamilyOf } from './embed-request.ts'
import { bedrockEmbedder } from './embedder.ts'

const over =
  (id: string, dimensions: number): MakeVendorEmbedder =>
  async (baseURL) =>
    bedrockEmbedder({
      id,
      dimensions,
      region: 'ap-northeast-1',
      baseURL,
      credentials: { kind: 'keys', accessKeyId: 'simulated', secretAccessKey: 'simulated' },
      clock: vendorClock,
      limits: SHORT_LIMITS,
    })
const titan = over('amazon.titan-embed-text-v2:0', 256)
const cohere = over('cohere.embed-multilingual-v3', 1024)

for (const [name, make] of [
  ['bedrock titan', titan],
  ['bedrock cohere', cohere],
] as const) {
  embedderContract(name, async (context) => (await simulatedEmbedder(context, make)).embedder)
  embedderFaultSuite(name, make)
}

test('Titan is sent one text with the dimensions, Cohere many with their purpose', async (context) => {
  const one = await simulatedEmbedder(context, titan)
  await one.embedder.embed({ texts: ['海賊王'], purpose: 'question', signal: NEVER })
  assert.deepEqual(one.simulator.attempts()[0]?.body, { inputText: '海賊王', dimensions: 256, normalize: true })
  const many = await simulatedEmbedder(context, cohere)
  const texts = ['海賊王', 'x'.repeat(3000)]
  await many.embedder.embed({ texts, purpose: 'document', signal: NEVER })
  await many.embedder.embed({ texts: ['海賊王'], purpose: 'question', signal: NEVER })
  assert.deepEqual(
    many.simulator.attempts().map(({ body }) => body),
    [
      { texts: ['海賊王', 'x'.repeat(2048)], input_type: 'search_document', truncate: 'END' },
      { texts: ['海賊王'], input_type: 'search_query', truncate: 'END' },
    ],
  )
})

test('models of Bedrock that do not embed are not known, and an inference profile is that of its model', () => {
  assert.equal(embeddingFamilyOf('anthropic.claude-3-haiku-20240307-v1:0'), undefined)
  assert.equal(embeddingFamilyOf('us.cohere.embed-multilingual-v3')?.textsPerCallMax, 96)
  assert.equal(embeddingFamilyOf('amazon.titan-embed-text-v2:0')?.textsPerCallMax, 1)
})

test('vectors that are listed by type are read too', () => {
  const family = embeddingFamilyOf('cohere.embed-v4:0')
  assert.deepEqual(family?.read({ embeddings: { float: [[1, 0]] } }), { vectors: [[1, 0]] })
})
