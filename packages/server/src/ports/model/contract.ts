// The contract of a model: a stream of the one grammar, whatever happens, and an end soon after an abort. `make` returns a
// model that answers a greeting with at least two pieces of text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { textMessage } from '#domain/model/model-message.ts'
import type { Model, ModelPart, ModelRequest } from './port.ts'

const PARTS_MAX = 100_000

export function sampleModelRequest(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    turnId: 'turn_1',
    system: 'You help the shoppers of a manga store.',
    messages: [textMessage('user', 'こんにちは')],
    grounding: { ...UNGROUNDED, intent: { kind: 'talk', topic: 'greet' } },
    language: 'ja',
    maxOutputTokens: 512,
    temperature: 0.3,
    deadlineAt: Number.MAX_SAFE_INTEGER,
    signal: new AbortController().signal,
    ...over,
  }
}

/** Throws unless the parts follow the grammar of the model port. */
function assertModelGrammar(parts: readonly ModelPart[]): void {
  const types = parts.map(({ type }) => type)
  const last = types.at(-1)
  assert.ok(last === 'message-end' || last === 'model-error', `the stream ended with ${last ?? 'nothing'}`)
  if (types.length === 1 && last === 'model-error') return
  assert.equal(types[0], 'message-start')
  const middle = types.slice(1, -1)
  assert.ok(
    middle.every((type) => type === 'reasoning-delta' || type === 'text-delta' || type === 'usage'),
    `unexpected parts: ${types.join(' ')}`,
  )
}

async function collect(model: Model, request: ModelRequest, onPart?: (part: ModelPart) => void): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of model.stream(request)) {
    parts.push(part)
    onPart?.(part)
    assert.ok(parts.length < PARTS_MAX, 'the stream does not end')
  }
  return parts
}

export function modelContract(name: string, make: (context: TestContext) => Promise<Model>): void {
  test(`${name}: an answer is a message of text with its own end`, async (context) => {
    const model = await make(context)
    const parts = await collect(model, sampleModelRequest())
    assertModelGrammar(parts)
    assert.equal(parts[0]?.type === 'message-start' && parts[0].model.length > 0, true)
    const text = parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')
    assert.ok(text.length > 0)
    assert.ok(parts.every((part) => part.type !== 'text-delta' || part.text.length > 0))
    const last = parts.at(-1)
    assert.equal(last?.type === 'message-end' && last.stopReason, 'end')
  })

  test(`${name}: reported usage is in whole tokens and never decreases`, async (context) => {
    const parts = await collect(await make(context), sampleModelRequest())
    let output = 0
    for (const part of parts) {
      if (part.type !== 'usage') continue
      for (const tokens of [part.inputTokens ?? 0, part.outputTokens ?? 0])
        assert.ok(Number.isSafeInteger(tokens) && tokens >= 0)
      assert.ok((part.outputTokens ?? output) >= output)
      output = part.outputTokens ?? output
    }
  })

  test(`${name}: a call that was cancelled before it began yields only an error of class cancelled`, async (context) => {
    const model = await make(context)
    const parts = await collect(model, sampleModelRequest({ signal: AbortSignal.abort() }))
    assert.deepEqual(
      parts.map((part) => (part.type === 'model-error' ? part.class : part.type)),
      ['cancelled'],
    )
  })

  test(`${name}: cancelling in mid-stream ends the stream with an error of class cancelled`, async (context) => {
    const model = await make(context)
    const controller = new AbortController()
    const parts = await collect(model, sampleModelRequest({ signal: controller.signal }), (part) => {
      if (part.type === 'text-delta') controller.abort()
    })
    assertModelGrammar(parts)
    const last = parts.at(-1)
    assert.equal(last?.type === 'model-error' && last.class, 'cancelled')
    assert.equal(parts.filter(({ type }) => type === 'text-delta').length, 1)
  })

  test(`${name}: a reader that leaves is not delayed`, async (context) => {
    const model = await make(context)
    for await (const part of model.stream(sampleModelRequest())) if (part.type === 'text-delta') break
  })

  test(`${name}: two concurrent calls do not mix`, async (context) => {
    const model = await make(context)
    const both = await Promise.all([collect(model, sampleModelRequest()), collect(model, sampleModelRequest())])
    for (const parts of both) assertModelGrammar(parts)
  })
}
