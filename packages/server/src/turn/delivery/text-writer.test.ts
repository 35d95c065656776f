// Writes an answer to its log: the first text at once, then by timer, complete, in order, and never after a lost lease.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { LogEntry, TurnLog } from '#ports/turn-log/port.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { textIn } from '#fixtures/stores/ports.ts'
import { sampleOutcome } from '#fixtures/turns/samples.ts'
import { microtasks } from '#fixtures/time/streams.ts'
import { anyDeltas } from '#fixtures/shop/texts.ts'
import { readable } from '#lib/text/readable.ts'
import { NO_SPAN } from '#ports/telemetry/plain-scope.ts'
import { createTextWriter } from './text-writer.ts'

const { streaming } = testConfig
const TEXT_END: LogEntry = { kind: 'text-end', outcome: sampleOutcome() }

/** A log that records its appends; each can be delayed, refused or failed. */
function setUp(
  answer: (entries: readonly LogEntry[]) => Promise<boolean> = async () => true,
  over: Partial<typeof streaming> = {},
  shown = '',
) {
  const telemetry = memoryTelemetry()
  const clock = manualClock()
  const appends: (readonly LogEntry[])[] = []
  const failures: unknown[] = []
  const turnLog = {
    async append(_turnId: string, _epoch: number, entries: readonly LogEntry[]) {
      const owned = await answer(entries)
      if (owned) appends.push(entries)
      return owned
    },
  } as unknown as TurnLog
  const turn = { turnId: 'turn_1', epoch: 1, span: NO_SPAN }
  const parts = { clock, turnLog, streaming: { ...streaming, ...over }, ...turn, telemetry, shown }
  const answeredBy = () => ({ tier: 'primary', model: 'big' }) as const
  const writer = createTextWriter({ ...parts, answeredBy, onFailure: (error) => failures.push(error) })
  const texts = () => appends.map((entries) => textIn(entries))
  return { clock, writer, appends, texts, failures, telemetry }
}

test('the first text is written at once', async () => {
  const { clock, writer, texts } = setUp()
  writer.push('こ')
  assert.equal(writer.firstWordAt, clock.now())
  await clock.advance(0)
  assert.deepEqual(texts(), ['こ'])
})

test('later text is written together after 100 ms, also when the model is silent', async () => {
  const { clock, writer, texts } = setUp()
  writer.push('a')
  await clock.advance(10)
  writer.push('b')
  await clock.advance(60)
  writer.push('c')
  await clock.advance(39)
  assert.deepEqual(texts(), ['a'])
  await clock.advance(1)
  assert.deepEqual(texts(), ['a', 'bc'])
  assert.equal(clock.timers(), 0)
})

test('4 KiB of text do not wait for the timer', async () => {
  const { clock, writer, texts } = setUp()
  writer.push('a')
  await clock.advance(0)
  writer.push('漫'.repeat(1365))
  await clock.advance(0)
  assert.equal(texts().length, 1)
  writer.push('画')
  await clock.advance(0)
  assert.equal(texts()[1]?.length, 1366)
})

test('text that arrives during an append is written with the next, in order', async () => {
  const open = Promise.withResolvers<boolean>()
  let first = true
  const { clock, writer, texts } = setUp(() => {
    if (!first) return Promise.resolve(true)
    first = false
    return open.promise
  })
  writer.push('a')
  for (const text of ['b', 'c', 'd']) {
    writer.push(text)
    await clock.advance(150)
  }
  assert.deepEqual(texts(), [])
  open.resolve(true)
  await clock.advance(0)
  assert.deepEqual(texts(), ['a', 'bcd'])
})

test('an entry of another kind is written at once, after all earlier text', async () => {
  const { clock, writer, appends } = setUp()
  writer.push('a')
  writer.push('b')
  writer.add(TEXT_END)
  await clock.advance(0)
  assert.deepEqual(
    appends.flat().map((entry) => (entry.kind === 'text' ? entry.text : entry.kind)),
    ['a', 'b', 'text-end'],
  )
  assert.equal(clock.timers(), 0)
})

test('after settled() everything added before is in the log', async () => {
  for (let ticks = 0; ticks < 12; ticks += 1) {
    const { writer, appends } = setUp()
    writer.push('a')
    await microtasks(ticks)
    writer.add(TEXT_END)
    await writer.settled()
    assert.equal(appends.flat().at(-1)?.kind, 'text-end', `after ${ticks} microtasks`)
  }
})

test('any text in any deltas is logged in whole characters with contiguous offsets', async () => {
  await fc.assert(
    fc.asyncProperty(anyDeltas, fc.array(fc.nat(120), { maxLength: 30 }), async ({ text: said, deltas }, waits) => {
      const text = readable(said)
      const { clock, writer, appends } = setUp(undefined, { frameBytesMax: 1024, flushBytes: 64 })
      for (const [index, delta] of deltas.entries()) {
        writer.push(delta)
        await clock.advance(waits[index] ?? 0)
      }
      const finished = writer.finish()
      await writer.settled()
      assert.equal(finished.text, text)
      assert.equal(finished.sha256, createHash('sha256').update(text).digest('hex'))
      let offset = 0
      for (const entry of appends.flat()) {
        assert.ok(entry.kind === 'text' && entry.text.isWellFormed())
        assert.equal(entry.offset, offset)
        assert.ok(Buffer.byteLength(JSON.stringify(entry.text)) <= 1024)
        offset += entry.text.length
      }
      assert.equal(textIn(appends.flat()), text)
      assert.equal(clock.timers(), 0)
    }),
    { numRuns: 60 },
  )
})

test('a lone surrogate becomes the replacement character, and at the end nothing', async () => {
  const { writer, appends } = setUp()
  writer.push('a\uD83D')
  writer.push('b')
  writer.push('c\uD83D')
  const { text, sha256 } = writer.finish()
  await writer.settled()
  assert.equal(text, 'a\uFFFDbc')
  assert.equal(textIn(appends.flat()), text)
  assert.equal(sha256, createHash('sha256').update(text).digest('hex'))
})

test('terminal escapes and bidirectional controls are removed, also when split between deltas', async () => {
  const { writer, appends } = setUp()
  for (const delta of ['\u001B', '[31m', 'a\u202E', '\uDB40', '\uDC41b\u0007\n']) writer.push(delta)
  const { text } = writer.finish()
  await writer.settled()
  assert.equal(text, '[31mab\n')
  assert.equal(textIn(appends.flat()), text)
})

test('a lost epoch is reported once, settled() rejects, and nothing more is written', async () => {
  const { clock, writer, appends, failures } = setUp(async () => false)
  writer.push('a')
  await clock.advance(0)
  writer.push('b')
  await clock.advance(200)
  writer.add(TEXT_END)
  await assert.rejects(writer.settled(), TurnAbort)
  assert.equal(failures.length, 1)
  assert.ok(failures[0] instanceof TurnAbort && failures[0].abortCause === 'lost')
  assert.deepEqual(appends, [])
})

test('a log that fails aborts the turn, and the error says why', async () => {
  const { clock, writer, failures } = setUp(() => Promise.reject(new Error('disk full')))
  writer.push('a')
  await clock.advance(0)
  assert.ok(failures[0] instanceof TurnAbort && failures[0].abortCause === 'log-failed')
  assert.match(String(failures), /disk full/)
  await assert.rejects(writer.settled(), /disk full/)
})

test('text of an earlier owner is continued, and counts in length and hash', async () => {
  const { clock, writer, appends } = setUp(undefined, {}, '鬼滅')
  writer.push('の刃')
  await clock.advance(0)
  assert.deepEqual(appends.flat(), [{ kind: 'text', offset: 2, text: 'の刃' }])
  assert.deepEqual([writer.firstWordAt, writer.length], [null, 4])
  const { text, sha256 } = writer.finish()
  assert.deepEqual([text, sha256], ['鬼滅の刃', createHash('sha256').update('鬼滅の刃').digest('hex')])
})

test('the number of deltas in a frame and the time between frames are observed', async () => {
  const { clock, writer, telemetry } = setUp()
  for (const delta of ['a', 'b', 'c', 'd']) writer.push(delta)
  await clock.advance(100)
  assert.deepEqual(
    telemetry.observed.map(({ name, value }) => [name, value]),
    [
      ['turn_frame_deltas', 1],
      ['turn_frame_deltas', 3],
      ['turn_frame_interval_seconds', 0.1],
    ],
  )
  assert.deepEqual([writer.deltas, writer.frames], [4, 2])
})

test('disposing leaves no timer', async () => {
  const { clock, writer } = setUp()
  writer.push('a')
  writer.push('b')
  writer[Symbol.dispose]()
  await clock.advance(0)
  assert.equal(clock.timers(), 0)
})
