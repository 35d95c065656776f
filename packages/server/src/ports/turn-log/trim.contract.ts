// The part of the turn log's contract about trimming: one snapshot stands for the oldest records, no text is lost, and no
// reader notices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { snapshotOf, replay } from '#domain/turn/turn-state.ts'
import { sampleAttempt, sampleAttemptStart, sampleMeta, sampleStart } from '#fixtures/turns/samples.ts'
import { turnLogReader } from '#fixtures/turns/turn-log-reader.ts'
import { collectLog, LEASE_MS, text, textEnd, turnEnd } from '#fixtures/turns/turn-logs.ts'
import type { MakeTurnLog } from '#fixtures/turns/turn-logs.ts'
import type { LogEntry, LogRecord, TurnLog } from './port.ts'

const BOUNDS = { recordsMax: 8, bytesMax: 4096 }
const UNITS = '鬼滅の刃は全二十三巻です。ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const unit = (index: number) => text(index, UNITS.charAt(index))

export function turnLogTrimContract(name: string, make: MakeTurnLog): void {
  const opened = async (context: TestContext) => {
    const { log, clock } = await make(context, BOUNDS)
    await log.open(sampleStart(), LEASE_MS)
    return { log, clock }
  }
  reading(name, opened)
  keeping(name, opened)
}

type Opened = (context: TestContext) => ReturnType<MakeTurnLog>

/** Appends the units from one position to another, each by itself. */
async function say(log: TurnLog, from: number, to: number, epoch = 1): Promise<void> {
  for (let index = from; index < to; index += 1) assert.equal(await log.append('turn_1', epoch, [unit(index)]), true)
}

async function all(log: TurnLog): Promise<readonly LogRecord[]> {
  return (await log.read('turn_1', -1)) ?? []
}

/** The snapshot right after the start; fails when there is none. */
async function snapshotIn(log: TurnLog): Promise<Extract<LogRecord, { kind: 'snapshot' }>> {
  const [first, second, ...rest] = await all(log)
  assert.equal(first?.kind, 'start')
  assert.ok(second?.kind === 'snapshot')
  assert.ok(rest.every(({ kind }) => kind !== 'snapshot'))
  return second
}

function reading(name: string, opened: Opened): void {
  test(`${name}: within its bounds a log is not trimmed`, async (context) => {
    const { log } = await opened(context)
    await say(log, 0, 4)
    assert.deepEqual(
      (await all(log)).map(({ kind }) => kind),
      ['start', 'text', 'text', 'text', 'text'],
    )
  })

  test(`${name}: beyond the limit of records a log is its start, a snapshot and the newest records, which keep their numbers`, async (context) => {
    const { log } = await opened(context)
    await say(log, 0, 40)
    const records = await all(log)
    const { seq, epoch, snapshot } = await snapshotIn(log)
    assert.ok(records.length <= BOUNDS.recordsMax + 2)
    assert.ok(seq <= 38, 'some of the newest are kept as they were')
    assert.equal(epoch, 1)
    assert.deepEqual(snapshot, { text: UNITS.slice(0, seq), attempts: [] })
    assert.deepEqual(
      records.slice(2),
      Array.from({ length: 40 - seq }, (_, index) => ({ seq: seq + 1 + index, epoch: 1, ...unit(seq + index) })),
    )
    assert.deepEqual(await log.start('turn_1'), sampleStart())
  })

  test(`${name}: beyond the byte limit a log is trimmed too, and long texts stay complete`, async (context) => {
    const { log } = await opened(context)
    const texts = Array.from({ length: 5 }, (_, index) => String(index).repeat(1500))
    for (const [index, written] of texts.entries()) await log.append('turn_1', 1, [text(index * 1500, written)])
    assert.ok((await snapshotIn(log)).snapshot.text.length >= 1500)
    assert.equal(replay(await all(log)).text, texts.join(''))
  })

  test(`${name}: after any number of trims a log is within its bounds`, async (context) => {
    const { log } = await opened(context)
    for (let index = 0; index < 30; index += 1) {
      await log.append('turn_1', 1, [text(index * 600, String(index % 10).repeat(600))])
      const kept = (await all(log)).filter(({ kind }) => kind === 'text')
      assert.ok(kept.length * 600 <= BOUNDS.bytesMax, 'the bytes kept are within their bound')
    }
    for (let index = 0; index < 30; index += 1) {
      await log.append('turn_1', 1, [text(18_000 + index, 'x')])
      const kept = (await all(log)).filter(({ kind }) => kind === 'text')
      assert.ok(kept.length <= BOUNDS.recordsMax, 'the records kept are within their bound')
    }
  })

  test(`${name}: a reader behind the snapshot gets it and the rest, one after it only the rest`, async (context) => {
    const { log } = await opened(context)
    await say(log, 0, 40)
    const records = await all(log)
    const { seq } = await snapshotIn(log)
    for (const afterSeq of [0, 1, seq - 1]) assert.deepEqual(await log.read('turn_1', afterSeq), records.slice(1))
    assert.deepEqual(await log.read('turn_1', seq), records.slice(2))
    assert.deepEqual(await log.read('turn_1', seq + 1), records.slice(3))
    assert.deepEqual(await log.read('turn_1', 40), [])
    await log.append('turn_1', 1, [turnEnd])
    assert.deepEqual(await collectLog(log, { afterSeq: 1 }), (await all(log)).slice(1))
  })

  test(`${name}: a reader that a trim overtakes gets exactly the same text as one that keeps up`, async (context) => {
    const { log } = await opened(context)
    await say(log, 0, 3)
    const from = { turnId: 'turn_1', afterSeq: -1, known: '' }
    const slow = await turnLogReader(log, { ...from, isEager: false })
    const eager = await turnLogReader(log, { ...from, isEager: true })
    const later = await turnLogReader(log, { ...from, afterSeq: 2, known: UNITS.slice(0, 2), isEager: false })
    await say(log, 3, 40)
    await log.append('turn_1', 1, [textEnd, turnEnd])
    for (const reader of [slow, eager, later]) {
      await reader.reached(42)
      assert.equal(reader.text, UNITS.slice(0, 40))
      await reader.ended()
    }
  })
}

function keeping(name: string, opened: Opened): void {
  test(`${name}: the latest meta, the route and the attempts survive the trimming of their records`, async (context) => {
    const { log } = await opened(context)
    const route = { routing: { exposures: [], unit: 'guest_1' } }
    const entries: LogEntry[] = [
      { kind: 'meta', meta: sampleMeta({ model: 'earlier' }), route },
      { kind: 'attempt-start', attempt: sampleAttemptStart() },
      { kind: 'attempt-end', record: sampleAttempt() },
      { kind: 'attempt-start', attempt: sampleAttemptStart({ attempt: 2 }) },
      { kind: 'meta', meta: sampleMeta({ model: 'latest' }) },
    ]
    await log.append('turn_1', 1, entries)
    await say(log, 0, 20)
    const { snapshot } = await snapshotIn(log)
    assert.deepEqual(snapshot, { ...snapshotOf(entries), text: snapshot.text })
    await log.append('turn_1', 1, [{ kind: 'attempt-end', record: sampleAttempt({ attempt: 2 }) }])
    await say(log, 20, 40)
    const story = replay(await all(log))
    assert.deepEqual(
      [story.text, story.meta?.model, story.attempts.map(({ attempt }) => attempt), story.underWay, story.route],
      [UNITS.slice(0, 40), 'latest', [1, 2], undefined, route],
    )
  })

  test(`${name}: the ends of the text and the turn are never part of a snapshot`, async (context) => {
    const { log } = await opened(context)
    await say(log, 0, 6)
    await log.append('turn_1', 1, [textEnd])
    const metas = Array.from({ length: 20 }, (): LogEntry => ({ kind: 'meta', meta: sampleMeta() }))
    await log.append('turn_1', 1, [...metas, turnEnd])
    const records = await all(log)
    assert.deepEqual(
      records.filter(({ kind }) => kind === 'text-end' || kind === 'turn-end').map(({ seq }) => seq),
      [7, 28],
    )
    assert.equal(replay(records).text, UNITS.slice(0, 6))
  })

  test(`${name}: a trim in the last append leaves the turn ended`, async (context) => {
    const { log, clock } = await opened(context)
    await say(log, 0, 8)
    await log.append('turn_1', 1, [unit(8), unit(9), textEnd, turnEnd])
    assert.deepEqual(
      (await all(log)).slice(-2).map(({ kind }) => kind),
      ['text-end', 'turn-end'],
    )
    assert.equal(await log.append('turn_1', 1, [unit(10)]), false)
    await clock.advance(LEASE_MS)
    assert.equal(await log.takeOver('turn_1', LEASE_MS), undefined)
    assert.equal(replay(await collectLog(log)).text, UNITS.slice(0, 10))
  })

  test(`${name}: a new owner continues at the end of a trimmed log, whose snapshot has the epoch of its last record`, async (context) => {
    const { log, clock } = await opened(context)
    await say(log, 0, 20)
    await clock.advance(LEASE_MS)
    assert.equal(await log.takeOver('turn_1', LEASE_MS), 2)
    assert.equal(await log.append('turn_1', 1, [unit(20)]), false)
    const before = await snapshotIn(log)
    assert.deepEqual([before.epoch, (await all(log)).at(-1)?.seq], [1, 20])
    await say(log, 20, 40, 2)
    const after = await snapshotIn(log)
    assert.ok(after.seq > before.seq)
    assert.deepEqual([after.epoch, (await all(log)).at(-1)?.seq], [2, 40])
    assert.equal(replay(await all(log)).text, UNITS.slice(0, 40))
  })
}
