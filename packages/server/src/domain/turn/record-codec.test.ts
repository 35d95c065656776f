// Records of the turn log as JSON: what comes back, what is stored, and what an older version stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oldChat, oldCompletion } from '#fixtures/turns/old-starts.ts'
import { sampleStart } from '#fixtures/turns/samples.ts'
import { textMessage, textPart } from '../model/model-message.ts'
import { recordFrom, startFrom, storedRecord, storedStart } from './record-codec.ts'
import type { LogRecordBody, TurnStart } from './log-records.ts'

const completion = {
  system: 'Be brief.',
  messages: [textMessage('user', 'hi'), textMessage('assistant', 'yes?'), textMessage('user', '漫画')],
  models: ['only'],
  temperature: 0.9,
  inOnePiece: true,
} as const
const parsed = (stored: object): unknown => JSON.parse(JSON.stringify(stored))
const onPage = sampleStart({
  languageWish: 'en',
  interfaceLanguage: 'ja',
  page: { productId: 'berserk', path: '/series/berserk' },
})
const starts = [sampleStart(), sampleStart({ completion }), onPage]

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

test('a start of an older version is read: its kind follows from whether it has a prompt', () => {
  for (const { written, read } of [oldChat('turn_1'), oldCompletion('turn_1')]) {
    assert.deepEqual(startFrom(parsed(written) as TurnStart), read)
    const record = { seq: 0, epoch: 1, kind: 'start', start: parsed(written) as TurnStart } as const
    assert.deepEqual(recordFrom(record), { ...record, start: read })
  }
})

test('a written start has every field that an older version reads, and in addition only the kind', () => {
  for (const { written, read } of [oldChat('turn_1'), oldCompletion('turn_1')]) {
    const { kind, ...rest } = parsed(storedStart(read)) as TurnStart
    assert.deepEqual([kind, rest], [read.kind, written])
  }
})

test('an unknown kind of a newer version is not changed', () => {
  const newer = { ...oldChat('turn_1').written, kind: 'newer' } as unknown as TurnStart
  assert.equal(startFrom(newer).kind, 'newer')
})

test('several parts, or none, come back as they were', () => {
  const messages = [
    { role: 'user', content: [textPart('a'), textPart('b')] },
    { role: 'assistant', content: [] },
  ] as const
  const start = sampleStart({ completion: { ...completion, messages } })
  assert.deepEqual(startFrom(parsed(storedStart(start)) as TurnStart), start)
})

test('page and languages are added to what an older version reads, and change nothing in it', () => {
  const { page, languageWish, interfaceLanguage, ...rest } = parsed(storedStart(onPage)) as TurnStart
  assert.deepEqual(rest, sampleStart())
  assert.deepEqual([page?.productId, languageWish, interfaceLanguage], ['berserk', 'en', 'ja'])
})
