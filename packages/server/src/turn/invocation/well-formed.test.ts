// The grammar of a model's stream, and what happens to a stream that breaks it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ModelPart } from '#ports/model/port.ts'
import { answering, END, failure, say, START, usage } from '#fixtures/models/scripted-model.ts'
import { wellFormed } from './well-formed.ts'

async function through(...parts: readonly ModelPart[]): Promise<readonly ModelPart[]> {
  const out: ModelPart[] = []
  const grammar = wellFormed((part) => out.push(part))
  for (const part of parts) grammar.next(part)
  grammar.end()
  return out
}
const kinds = (parts: readonly ModelPart[]) =>
  parts.map((part) => (part.type === 'model-error' ? part.class : part.type))

test('a well-formed answer and a lone error pass unchanged', async () => {
  const answer = answering('a', 'b')
  assert.deepEqual(await through(...answer), answer)
  assert.deepEqual(await through(failure('throttled')), [failure('throttled')])
  assert.deepEqual(await through(START, say('a'), failure('timeout')), [START, say('a'), failure('timeout')])
})

test('a stream that stops without an end is broken, not complete', async () => {
  assert.deepEqual(kinds(await through(START, say('a'))), ['message-start', 'text-delta', 'stream-broken'])
  assert.deepEqual(kinds(await through()), ['stream-broken'])
})

test('text, usage or an end before the start is broken, and is not passed on', async () => {
  for (const early of [say('a'), usage(1, 1), END])
    assert.deepEqual(kinds(await through(early, START, END)), ['stream-broken'])
})

test('a second start is broken', async () => {
  assert.deepEqual(kinds(await through(START, say('a'), START)), ['message-start', 'text-delta', 'stream-broken'])
})

test('nothing passes after an end', async () => {
  assert.deepEqual(await through(START, END, say('more'), END), [START, END])
  assert.deepEqual(await through(failure('internal'), START, say('more')), [failure('internal')])
})

test('whatever a model sends, exactly one end results, as the last part', async () => {
  const anyPart = fc.constantFrom(START, say('a'), usage(1, 1), END, failure('internal'))
  await fc.assert(
    fc.asyncProperty(fc.array(anyPart, { maxLength: 8 }), async (parts) => {
      const out = await through(...parts)
      const ends = out.flatMap((part, index) =>
        part.type === 'message-end' || part.type === 'model-error' ? [index] : [],
      )
      assert.deepEqual(ends, [out.length - 1])
    }),
  )
})
