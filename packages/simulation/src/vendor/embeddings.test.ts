// The wires of embedders, through the vendors' own clients.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime'
import type { VendorFault } from './faults.ts'
import { bedrockClient, openaiClient, simulatorFor } from './testing/clients.ts'

const TITAN = 'amazon.titan-embed-text-v2:0'
const COHERE = 'cohere.embed-multilingual-v3'

async function clientsOf(context: TestContext, faults: readonly VendorFault[] = []) {
  const simulator = await simulatorFor(context, { faults })
  const bedrock = bedrockClient(context, simulator)
  const invoke = async (modelId: string, asked: object) => {
    const { body } = await bedrock.send(new InvokeModelCommand({ modelId, body: JSON.stringify(asked) }))
    return JSON.parse(Buffer.from(body).toString()) as {
      readonly embedding: readonly number[]
      readonly embeddings: readonly (readonly number[])[]
      readonly inputTextTokenCount: number
    }
  }
  const openai = openaiClient(simulator)
  const embed = (input: string[]) =>
    openai.embeddings.create({ model: 'any', input, encoding_format: 'float', dimensions: 64 })
  return { simulator, invoke, embed }
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)

test('Titan, Cohere and OpenAI return a vector for each text, the same for the same text', async (context) => {
  const { embed, invoke, simulator } = await clientsOf(context)
  const titan = await invoke(TITAN, { inputText: 'a pirate king', dimensions: 256, normalize: true })
  assert.deepEqual([titan.embedding.length, titan.inputTextTokenCount], [256, 6])
  const texts = ['a pirate king', 'the pirate', '料理人']
  const { embeddings } = await invoke(COHERE, { texts, input_type: 'search_document' })
  assert.deepEqual(
    embeddings.map(({ length }) => length),
    [1024, 1024, 1024],
  )
  const again = await invoke(COHERE, { texts: ['a pirate king'], input_type: 'search_query' })
  assert.deepEqual(again.embeddings[0], embeddings[0])
  const { data, usage } = await embed(texts)
  assert.deepEqual([data.length, data[0]?.embedding.length, usage.prompt_tokens], [3, 64, 17])
  assert.deepEqual(
    simulator.attempts().map(({ api }) => api),
    ['embed-titan', 'embed-cohere', 'embed-cohere', 'embeddings'],
  )
})

test('texts that share words are nearer to each other than texts that share none', async (context) => {
  const { invoke } = await clientsOf(context)
  const texts = ['a boy who wants to be king of the pirates', 'king of the pirates', '料理人が店を開く', '料理人の店']
  const { embeddings } = await invoke(COHERE, { texts, input_type: 'search_document' })
  const [long, short, cook, shop] = embeddings as [number[], number[], number[], number[]]
  assert.ok(dot(long, short) > 0.5)
  assert.ok(dot(cook, shop) > 0.3)
  assert.ok(Math.abs(dot(long, cook)) < 0.2)
})

test('what a vendor refuses is refused: no text, too many texts, a long text, unknown dimensions', async (context) => {
  const { invoke } = await clientsOf(context)
  const document = { input_type: 'search_document' }
  for (const [model, body] of [
    [TITAN, { inputText: '' }],
    [TITAN, { inputText: 'a', dimensions: 300 }],
    [COHERE, { texts: ['a'] }],
    [COHERE, { texts: Array.from({ length: 97 }, () => 'a'), ...document }],
    [COHERE, { texts: ['a'.repeat(2049)], ...document }],
  ] as const)
    await assert.rejects(invoke(model, body), { name: 'ValidationException' }, JSON.stringify(body).slice(0, 80))
})

test('faults reach embedders: errors, a broken body, and vectors that are wrong', async (context) => {
  const throttled = await clientsOf(context, [{ fault: 'error', error: 'throttled', api: 'embed-titan' }])
  await assert.rejects(throttled.invoke(TITAN, { inputText: 'a' }), { name: 'ThrottlingException' })
  assert.equal((await throttled.embed(['a'])).data.length, 1)
  const cut = await clientsOf(context, [{ fault: 'malformed' }])
  await assert.rejects(cut.invoke(TITAN, { inputText: 'a' }))
  const longer = await clientsOf(context, [{ fault: 'vectors', shape: 'wrong-dimensions' }])
  assert.equal((await longer.invoke(TITAN, { inputText: 'a' })).embedding.length, 1032)
  const fewer = await clientsOf(context, [{ fault: 'vectors', shape: 'too-few' }])
  assert.equal((await fewer.embed(['a', 'b'])).data.length, 1)
  const texts = await clientsOf(context, [{ fault: 'vectors', shape: 'not-numbers' }])
  assert.deepEqual((await texts.embed(['a'])).data[0]?.embedding, ['a', 'b'])
})
