// One streamed call: whatever the vendor does, it ends with exactly one end part, and the clock enforces its limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { driveStream } from './drive-stream.ts'
import type { FailedAt, StreamOpening, StreamParts } from './drive-stream.ts'
import { failure } from './model-failure.ts'
import { messageEnd } from './model-part.ts'
import type { ModelPart } from './model-part.ts'

const START: ModelPart = { type: 'message-start', model: 'm' }
const WORD: ModelPart = { type: 'text-delta', text: 'word' }
const END = messageEnd('end', undefined)
const never = new Promise<never>(() => {})

interface Given {
  readonly events: (opening: StreamOpening) => AsyncIterable<readonly ModelPart[]>
  readonly signal?: AbortSignal
  readonly isComplete?: boolean
  readonly parts?: Partial<StreamParts>
}

/** Each event is the list of parts that the reader makes of it. */
function drive({ events, signal = new AbortController().signal, isComplete = false, parts = {} }: Given) {
  const clock = manualClock()
  const anomalies: string[] = []
  const failedAt: FailedAt[] = []
  const opened: AbortSignal[] = []
  const stream = driveStream<readonly ModelPart[]>(
    {
      clock,
      limits: { firstByteMs: 1000, stallMs: 1000 },
      onAnomaly: (anomaly) => void anomalies.push(anomaly),
      ...parts,
    },
    { deadlineAt: clock.now() + 60_000, signal },
    {
      reader: {
        read: (event, out) => void out.push(...event),
        isComplete: () => isComplete,
        finish: () => [isComplete ? END : { type: 'model-error', class: 'stream-broken', message: 'no end' }],
      },
      async open(opening) {
        opened.push(opening.signal)
        return events(opening)
      },
      classify(_, at) {
        failedAt.push(at)
        return failure('internal', 'classified')
      },
    },
  )
  return { stream, clock, anomalies, failedAt, opened }
}

const endOf = (parts: readonly ModelPart[]) => {
  const last = parts.at(-1)
  return last?.type === 'model-error' ? last.class : last?.type
}
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('closed')), { once: true }))

test('an answer that the reader ends leaves the connection open for the next call', async () => {
  async function* events() {
    yield [START, WORD]
    yield [END]
    await never
  }
  const { stream, opened } = drive({ events })
  assert.deepEqual(await collect(stream), [START, WORD, END])
  assert.equal(opened[0]?.aborted, false)
})

test('if the events end before the message does, the reader decides the last part', async () => {
  async function* events() {
    yield [START, WORD]
  }
  assert.equal(endOf(await collect(drive({ events }).stream)), 'stream-broken')
  assert.equal(endOf(await collect(drive({ events, isComplete: true }).stream)), 'message-end')
})

test('an error inside a stream ends it and closes the call', async () => {
  async function* events() {
    yield [START, { type: 'model-error', class: 'throttled', message: 'later' } as const, WORD]
    await never
  }
  const { stream, opened } = drive({ events })
  assert.equal(endOf(await collect(stream)), 'throttled')
  assert.equal(opened[0]?.aborted, true)
})

test('an error is classified by how far the call had got', async () => {
  const refused = drive({
    events() {
      throw new Error('refused')
    },
  })
  assert.deepEqual([endOf(await collect(refused.stream)), refused.failedAt[0]?.hasOpened], ['internal', false])
  async function* broken() {
    yield [START, WORD]
    throw new Error('reset')
  }
  const { stream, failedAt } = drive({ events: broken })
  assert.equal(endOf(await collect(stream)), 'internal')
  assert.deepEqual([failedAt[0]?.hasOpened, failedAt[0]?.hasBegun], [true, true])
})

test('a complete message stays complete when the events after it are lost or never come', async () => {
  async function* broken() {
    yield [START, WORD]
    throw new Error('reset')
  }
  const lost = drive({ events: broken, isComplete: true })
  assert.equal(endOf(await collect(lost.stream)), 'message-end')
  assert.deepEqual(lost.anomalies, ['lost-after-end'])

  const silent = drive({
    isComplete: true,
    async *events({ signal }) {
      yield [START, WORD]
      await aborted(signal)
    },
  })
  const reading = collect(silent.stream)
  await silent.clock.advance(5000)
  assert.equal(endOf(await reading), 'message-end')
  assert.deepEqual(silent.anomalies, ['lost-after-end'])
})

test('silence before the end is a timeout', async () => {
  const { stream, clock, failedAt } = drive({
    async *events({ signal }) {
      yield [START, WORD]
      await aborted(signal)
    },
  })
  const reading = collect(stream)
  await clock.advance(5000)
  assert.equal(endOf(await reading), 'timeout')
  assert.deepEqual(failedAt, [])
})

test('a caller who leaves between two parts of the last event still gets an end', async () => {
  const caller = new AbortController()
  async function* events() {
    yield [START]
    yield [{ type: 'usage', inputTokens: 3 } as const, END]
  }
  const { stream } = drive({ events, signal: caller.signal })
  const parts: ModelPart[] = []
  for await (const part of stream) {
    parts.push(part)
    if (part.type === 'usage') caller.abort()
  }
  assert.equal(endOf(parts), 'message-end')
})

test('after the caller left no further event is read, and the call is closed', async () => {
  const caller = new AbortController()
  async function* events() {
    yield [START]
    yield [WORD]
  }
  const { stream, opened } = drive({ events, signal: caller.signal })
  const parts: ModelPart[] = []
  for await (const part of stream) {
    parts.push(part)
    caller.abort()
  }
  assert.deepEqual([parts.length, endOf(parts)], [2, 'cancelled'])
  assert.equal(opened[0]?.aborted, true)
})

test('a sample gets every event and the error, and ends with the stream', async () => {
  const seen: unknown[] = []
  async function* events() {
    yield [START]
    throw new Error('reset')
  }
  const startSample = () => ({ see: (event: unknown) => void seen.push(event), end: () => void seen.push('end') })
  await collect(drive({ events, parts: { startSample } }).stream)
  assert.deepEqual([seen.length, (seen[1] as Error).message, seen[2]], [3, 'reset', 'end'])
})
