// The text of messages: in both languages, with figures, places, runbook and, for a resolve, how long it lasted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alarmTable } from './alarm-table.ts'
import { durationText, figureText, messageOf } from './message.ts'
import type { MessageParts } from './message.ts'

const alarm = alarmTable.find(({ id }) => id === 'lane-down')!
const parts: MessageParts = {
  key: 'lane-down:1:fired',
  kind: 'fired',
  at: 120_000,
  alarm,
  incident: {
    since: 60_000,
    series: [{ labels: { lane: 'primary' }, value: 61.234, hosts: ['node-1', 'node-2'] }],
    more: 2,
  },
  runbookUrl: 'https://wiki.example/runbooks',
  language: 'en',
}

test('a message says what, since when, where, the figure and its threshold, and what to do', () => {
  assert.equal(
    messageOf(parts).text,
    [
      'ALARM [page] A model or dependency refuses calls (lane-down)',
      'since 1970-01-01T00:01:00.000Z',
      '- lane=primary 61.23 s (threshold 60 s), on node-1, node-2',
      '- 2 more',
      'What to do: https://wiki.example/runbooks/lane-down.md',
    ].join('\n'),
  )
})

test('a resolve says how long it lasted, in Japanese too, and a standalone node names itself', () => {
  const { text } = messageOf({ ...parts, kind: 'resolved', language: 'ja', standaloneHost: 'node-1' })
  assert.match(text, /^【復旧】 \[page\] モデルまたは依存先/)
  assert.match(text, /継続時間 1 min$/m)
  assert.match(text, /単独で送信しました: node-1$/m)
})

test('figures have the unit that people read, and durations their two largest units', () => {
  assert.deepEqual(
    [figureText(0.0714, 'ratio'), figureText(12, 'count'), figureText(10, 'usd'), figureText(5, 'bytes')],
    ['7.14 %', '12', '10 USD', '5 bytes'],
  )
  assert.deepEqual([0, 61_000, 3_661_000, 90_000_000].map(durationText), ['0 s', '1 min 1 s', '1 h 1 min', '1 d 1 h'])
})
