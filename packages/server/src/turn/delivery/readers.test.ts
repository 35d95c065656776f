// Reads a turn: from any offset exactly the rest, the latest meta, and the end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { memoryTurnLog } from '#adapters/memory/turn-log.ts'
import type { LogEntry } from '#ports/turn-log/port.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { sampleAsk, sampleEnd, sampleMeta, sampleOutcome, sampleSession } from '#fixtures/turns/samples.ts'
import { collect } from '#fixtures/time/streams.ts'
import { anyText } from '#fixtures/shop/texts.ts'
import { sampleAdmitted } from '#fixtures/turns/turns.ts'
import { readFrames, watchSession } from './readers.ts'
import type { TurnFrame } from './readers.ts'

const never = new AbortController().signal
const ENDING: readonly LogEntry[] = [
  { kind: 'text-end', outcome: sampleOutcome() },
  { kind: 'turn-end', end: sampleEnd() },
]
const meta = (model: string): LogEntry => ({ kind: 'meta', meta: sampleMeta({ model }) })
const textsOf = (pieces: readonly string[]): readonly LogEntry[] =>
  pieces.map((text, index) => ({ kind: 'text', text, offset: pieces.slice(0, index).join('').length }))
const textOf = (frames: readonly TurnFrame[]) =>
  frames.map((frame) => (frame.type === 'chunk' ? frame.text : '')).join('')

const STREAMING = { frameBytesMax: 1024 }

async function turnWith(...entries: readonly LogEntry[]) {
  const ports = await testPorts()
  return { ports, read: await reading(ports, entries) }
}

/** Like `turnWith`, but the log is trimmed when it has a few more records than these. */
async function trimmedTurnWith(...entries: readonly LogEntry[]) {
  const untrimmed = await testPorts()
  const turnLog = memoryTurnLog({ clock: untrimmed.clock, bounds: { recordsMax: 4, bytesMax: 100_000 } })
  const ports = { ...untrimmed, turnLog }
  return { ports, read: await reading(ports, entries) }
}

async function reading(ports: TestPorts, entries: readonly LogEntry[]) {
  await ports.turnLog.open(sampleAdmitted().start, 10_000)
  if (entries.length > 0) await ports.turnLog.append('turn_1', 1, entries)
  return (offset: number, signal = never) =>
    readFrames({ ...ports, streaming: STREAMING }, { turnId: 'turn_1', offset }, signal)
}

test('a reader gets exactly the rest from any offset, contiguous, and then the end', async () => {
  const pieces = fc.array(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(70), async (texts, offset) => {
      const { read } = await turnWith(meta('m'), ...textsOf(texts), ...ENDING)
      const frames = await collect(read(offset))
      assert.equal(textOf(frames), texts.join('').slice(offset))
      let at = offset
      for (const frame of frames) {
        if (frame.type !== 'chunk') continue
        assert.equal(frame.offset, at)
        at += frame.text.length
      }
      assert.deepEqual([frames[0]?.type, frames.at(-1)?.type], ['meta', 'done'])
    }),
    { numRuns: 50 },
  )
})

test('a reader of a trimmed turn gets exactly the rest from any offset, in frames of bounded size', async () => {
  const pieces = fc.array(anyText, { minLength: 8, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(700), async (texts, offset) => {
      const { read } = await trimmedTurnWith(meta('m'), ...textsOf(texts), ...ENDING)
      const frames = await collect(read(offset))
      assert.equal(textOf(frames), texts.join('').slice(offset))
      let at = offset
      for (const frame of frames) {
        if (frame.type !== 'chunk') continue
        assert.equal(frame.offset, at)
        assert.ok(Buffer.byteLength(JSON.stringify(frame)) <= STREAMING.frameBytesMax)
        at += frame.text.length
      }
      assert.deepEqual([frames[0]?.type, frames.at(-1)?.type], ['meta', 'done'])
    }),
    { numRuns: 50 },
  )
})

test('a reader of a trimmed turn gets the snapshot’s meta, or a later one', async () => {
  const texts = textsOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  for (const [expected, entries] of [
    ['second', [meta('first'), meta('second'), ...texts]],
    ['third', [meta('first'), ...texts, meta('third')]],
  ] as const) {
    const { ports, read } = await trimmedTurnWith(...entries, ...ENDING)
    assert.equal((await ports.turnLog.read('turn_1', 0))?.[0]?.kind, 'snapshot')
    const metas = (await collect(read(0))).filter((frame) => frame.type === 'meta')
    assert.deepEqual(
      metas.map(({ model }) => model),
      [expected],
    )
  }
})

test('a slow reader that a trim overtakes gets exactly the missing text', async () => {
  const texts = textsOf(['one ', 'two ', 'three ', 'four ', 'five ', 'six ', 'seven ', 'eight'])
  const { ports, read } = await trimmedTurnWith(meta('m'), ...texts.slice(0, 2))
  const frames = read(2)[Symbol.asyncIterator]()
  const seen: TurnFrame[] = []
  for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
    seen.push(next.value)
    if (seen.length === 3)
      for (const entry of [...texts.slice(2), ...ENDING]) await ports.turnLog.append('turn_1', 1, [entry])
  }
  assert.equal(textOf(seen), 'e two three four five six seven eight')
  assert.equal(seen.at(-1)?.type, 'done')
})

test('a late reader gets only the latest meta', async () => {
  const { read } = await turnWith(meta('first'), meta('second'), ...textsOf(['a']), ...ENDING)
  const frames = await collect(read(0))
  assert.deepEqual(
    frames.filter((frame) => frame.type === 'meta').map(({ model }) => model),
    ['second'],
  )
})

test('a reader at an offset gets new text as it is written', async () => {
  const { ports, read } = await turnWith(meta('m'), ...textsOf(['hello ']))
  const frames: TurnFrame[] = []
  const reading = (async () => {
    for await (const frame of read(3)) frames.push(frame)
  })()
  await ports.clock.advance(0)
  assert.equal(textOf(frames), 'lo ')
  await ports.turnLog.append('turn_1', 1, [{ kind: 'text', offset: 6, text: 'world' }, ...ENDING])
  await reading
  assert.equal(textOf(frames), 'lo world')
  assert.equal(frames.at(-1)?.type, 'done')
})

test('a reader that leaves ends its read without an effect on the turn', async () => {
  const { ports, read } = await turnWith(meta('m'))
  const controller = new AbortController()
  const reading = collect(read(0, controller.signal))
  await ports.clock.advance(0)
  controller.abort()
  assert.deepEqual(
    (await reading).map(({ type }) => type),
    ['meta'],
  )
  assert.equal(await ports.turnLog.append('turn_1', 1, ENDING), true)
})

async function watching() {
  const ports = await testPorts()
  const controller = new AbortController()
  const delivered: string[] = []
  const watch = () =>
    (async () => {
      for await (const { turnId } of watchSession(ports, sampleSession(), controller.signal)) delivered.push(turnId)
    })()
  const hold = (turnId: string) => ports.budgets.admit(sampleAsk({ turnId, sessionId: 'sess_1' }))
  const open = (turnId: string) => ports.turnLog.open(sampleAdmitted({ turnId }).start, 10_000)
  return { ports, controller, delivered, watch, hold, open }
}

test('a watcher gets the running turn and later ones', async () => {
  const { ports, controller, delivered, watch, hold, open } = await watching()
  await hold('turn_1')
  await open('turn_1')
  const ended = watch()
  await ports.clock.advance(0)
  await open('turn_2')
  await ports.clock.advance(0)
  controller.abort()
  await ended
  assert.deepEqual(delivered, ['turn_1', 'turn_2'])
})

for (const moment of ['after the watcher’s check', 'during the watcher’s check']) {
  test(`a turn that is granted, and opens ${moment}, is delivered once`, async () => {
    const { ports, controller, delivered, watch, hold, open } = await watching()
    await hold('turn_1')
    const ended = watch()
    if (moment === 'after the watcher’s check') await ports.clock.advance(0)
    await open('turn_1')
    await ports.clock.advance(0)
    controller.abort()
    await ended
    assert.deepEqual(delivered, ['turn_1'])
  })
}

test('a reader gets the latest queue position, and none after the wait has ended', async () => {
  const queued = (position: number): LogEntry => ({ kind: 'queued', place: { position, etaMs: 250 * position } })
  const { ports, read } = await turnWith(queued(3), queued(2))
  const frames = read(0)[Symbol.asyncIterator]()
  assert.deepEqual((await frames.next()).value, { type: 'queued', turnId: 'turn_1', position: 2, etaMs: 500 })
  await ports.turnLog.append('turn_1', 1, [queued(1), meta('m'), ...textsOf(['はい']), ...ENDING])
  const rest = await collect({ [Symbol.asyncIterator]: () => frames })
  assert.deepEqual(
    rest.map(({ type }) => type),
    ['meta', 'chunk', 'done'],
  )
})
