// Records of the turn log as JSON: what comes back, what is stored, and what an older version stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleStart } from '#fixtures/turns/samples.ts'
import { textMessage, textPart } from '../model/model-message.ts'
import { recordFrom, startFrom, storedRecord, storedStart } from './record-codec.ts'
import type { LogRecordBody, TurnStart } from './turn-record.ts'

const completion = {
  system: 'Be brief.',
  messages: [textMessage('user', 'hi'), textMessage('assistant', 'yes?'), textMessage('user', '漫画')],
  models: ['only'],
  temperature: 0.9,
  inOnePiece: true,
} as const
const parsed = (stored: object): unknown => JSON.parse(JSON.stringify(stored))
const starts = [sampleStart(), sampleStart({ completion })]

test('every record comes back as it was', () => {
  const records: readonly LogRecordBody[] = [
    ...starts.map((start) => ({ kind: 'start', start }) as const),
    { kind: 'text', offset: 0, text: '鬼滅' },
  ]
  for (const record of records) {
    assert.deepEqual(recordFrom(parsed(storedRecord(record)) as LogRecordBody), record)
  }
  for (const start of starts) assert.deepEqual(startFrom(parsed(storedStart(start)) as TurnStart), start)
})

test('a message of one text is stored as that text, which an older version reads', () => {
  const stored = storedStart(sampleStart({ completion }))
  assert.deepEqual(stored.completion, {
    ...completion,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'yes?' },
      { role: 'user', content: '漫画' },
    ],
  })
})

test('several parts, or none, come back as they were', () => {
  const messages = [
    { role: 'user', content: [textPart('a'), textPart('b')] },
    { role: 'assistant', content: [] },
  ] as const
  const start = sampleStart({ completion: { ...completion, messages } })
  assert.deepEqual(startFrom(parsed(storedStart(start)) as TurnStart), start)
})
