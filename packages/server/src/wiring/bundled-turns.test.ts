// The turns that come with the program: what was written is read, and a wrong line is named.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { readBundledTurns, writeBundledTurns } from './bundled-turns.ts'

async function reading(text?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'turns-'))
  after(() => rm(folder, { recursive: true }))
  if (text !== undefined) await writeFile(join(folder, 'bundled-turns.csv'), text)
  return readBundledTurns(folder)
}

const weighed = {
  judged: {
    level: 'moderate',
    floor: 'simple',
    probabilities: { simple: 0.25, moderate: 0.5, complex: 0.25 },
    sureness: 0.75,
  },
  plain: ['price', 'stock'],
  promptTokens: 900,
} as const
const first = sampleTurnRecord({ sessionId: 'h-1', position: 0, weighed, mismatches: ['price'], received: {} })
const second = sampleTurnRecord({ sessionId: 'h-1', position: 1, weighed, received: { askedAgain: true } })

test('what a replay needs is written and read, the newest first', async () => {
  const turns = await reading(writeBundledTurns([first, second]))
  assert.deepEqual(
    turns.map(({ position, mismatches, received }) => [position, mismatches.length, received.askedAgain]),
    [
      [1, 0, true],
      [0, 1, undefined],
    ],
  )
  const [turn] = turns
  assert.deepEqual(turn?.weighed?.judged, { floor: 'simple', probabilities: weighed.judged.probabilities })
  assert.deepEqual(turn?.weighed?.plain, ['price', 'stock'])
  assert.deepEqual([turn?.inputTokens, turn?.outputTokens], [second.inputTokens, second.outputTokens])
})

test('a missing file, other columns and a line that cannot be are named', async () => {
  await assert.rejects(reading(), /bundled-turns\.csv: ENOENT/)
  await assert.rejects(reading('a,b\n'), /bundled-turns\.csv:1: the columns must be conversation,/)
  const [head = '', line = ''] = writeBundledTurns([first]).split('\n')
  for (const [from, to] of [
    ['simple', 'easy'],
    ['0.2500', '0.9'],
    ['price stock', 'weather'],
    ['h-1', ''],
    [',0,', ',,'],
  ] as const)
    await assert.rejects(reading(`${head}\n${line.replace(from, to)}\n`), /turn 1 \(.*\) is not valid/)
})
