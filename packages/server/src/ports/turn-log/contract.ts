// The contract of the turn log; attendance, owners, trimming and unwritten turns have files of their own. `make` returns an empty one and its clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAttempt, sampleAttemptStart, sampleMeta, sampleStart } from '#fixtures/turns/samples.ts'
import { collectLog, LEASE_MS, startsOfEveryKind, text, textEnd, turnEnd } from '#fixtures/turns/turn-logs.ts'
import type { MakeTurnLog } from '#fixtures/turns/turn-logs.ts'
import { turnLogAttendanceContract } from './attendance.contract.ts'
import { turnLogOwnersContract } from './owners.contract.ts'
import { turnLogTrimContract } from './trim.contract.ts'
import { turnLogUnwrittenContract } from './unwritten.contract.ts'
import type { LogEntry } from './port.ts'

export function turnLogContract(name: string, make: MakeTurnLog): void {
  writing(name, make)
  following(name, make)
  turnLogOwnersContract(name, make)
  stopping(name, make)
  turnLogAttendanceContract(name, make)
  turnLogTrimContract(name, make)
  turnLogUnwrittenContract(name, make)
}

function writing(name: string, make: MakeTurnLog): void {
  test(`${name}: a turn begins with its start as record 0 at epoch 1, once`, async (context) => {
    const { log } = await make(context)
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: false, state: 'rojo=1' }
    const start = sampleStart({ trace })
    assert.equal(await log.open(start, LEASE_MS), true)
    assert.equal(await log.open(sampleStart({ message: 'another' }), LEASE_MS), false)
    assert.deepEqual(await log.read('turn_1', -1), [{ seq: 0, epoch: 1, kind: 'start', start }])
  })

  test(`${name}: of many concurrent openings of one turn one succeeds`, async (context) => {
    const { log } = await make(context)
    const opened = await Promise.all(Array.from({ length: 10 }, () => log.open(sampleStart(), LEASE_MS)))
    assert.equal(opened.filter(Boolean).length, 1)
  })

  test(`${name}: entries are numbered consecutively and read unchanged`, async (context) => {
    const { log } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    assert.equal(await log.append('turn_1', 1, [text(0, '鬼'), text(1, '滅👹')]), true)
    assert.equal(await log.append('turn_1', 1, []), true)
    assert.equal(await log.append('turn_1', 1, [textEnd, turnEnd]), true)
    assert.deepEqual((await log.read('turn_1', 0)) ?? [], [
      { seq: 1, epoch: 1, ...text(0, '鬼') },
      { seq: 2, epoch: 1, ...text(1, '滅👹') },
      { seq: 3, epoch: 1, ...textEnd },
      { seq: 4, epoch: 1, ...turnEnd },
    ])
    assert.deepEqual(await log.read('turn_1', 4), [])
  })

  test(`${name}: attempts are read unchanged`, async (context) => {
    const { log } = await make(context)
    const entries: readonly LogEntry[] = [
      { kind: 'attempt-start', attempt: sampleAttemptStart() },
      { kind: 'meta', meta: sampleMeta() },
      { kind: 'attempt-end', record: sampleAttempt() },
    ]
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, entries)
    assert.deepEqual(
      await log.read('turn_1', 0),
      entries.map((entry, index) => ({ ...entry, seq: index + 1, epoch: 1 })),
    )
  })

  for (const start of startsOfEveryKind('turn_1'))
    test(`${name}: the start of a ${start.kind} comes back while the turn runs and after it, and of an unknown turn nothing`, async (context) => {
      const { log } = await make(context)
      assert.equal(await log.start('turn_1'), undefined)
      await log.open(start, LEASE_MS)
      assert.deepEqual(await log.start('turn_1'), start)
      await log.append('turn_1', 1, [text(0, 'a'), turnEnd])
      assert.deepEqual(await log.start('turn_1'), start)
      assert.deepEqual((await log.read('turn_1', -1))?.[0], { seq: 0, epoch: 1, kind: 'start', start })
      await log.forgetSession('sess_1')
      assert.equal(await log.start('turn_1'), undefined)
    })

  test(`${name}: concurrent appends of one turn keep their order`, async (context) => {
    const { log } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => log.append('turn_1', 1, [text(index, String(index % 10))])),
    )
    const records = (await log.read('turn_1', 0)) ?? []
    assert.deepEqual(
      records.map((record) => [record.seq, record.kind === 'text' && record.offset]),
      Array.from({ length: 30 }, (_, index) => [index + 1, index]),
    )
  })

  test(`${name}: an append with another epoch, after the end, or to an unknown turn writes nothing`, async (context) => {
    const { log } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    assert.equal(await log.append('turn_1', 2, [text(0, 'x')]), false)
    assert.equal(await log.append('turn_1', 0, [text(0, 'x')]), false)
    assert.equal(await log.append('turn_unknown', 1, [text(0, 'x')]), false)
    await log.append('turn_1', 1, [turnEnd])
    assert.equal(await log.append('turn_1', 1, [text(0, 'x')]), false)
    assert.equal((await log.read('turn_1', -1))?.length, 2)
  })

  test(`${name}: an owner's append is confirmed until another node owns the turn or it has ended`, async (context) => {
    const { log, clock } = await make(context)
    assert.equal(await log.confirm('turn_unknown', 1), false)
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, [textEnd])
    assert.equal(await log.confirm('turn_1', 1), true)
    await clock.advance(LEASE_MS)
    assert.equal(await log.takeOver('turn_1', LEASE_MS), 2)
    assert.deepEqual([await log.confirm('turn_1', 1), await log.confirm('turn_1', 2)], [false, true])
    await log.append('turn_1', 2, [turnEnd])
    assert.equal(await log.confirm('turn_1', 2), false)
  })

  test(`${name}: an unknown turn reads as undefined`, async (context) => {
    const { log } = await make(context)
    assert.equal(await log.read('turn_unknown', -1), undefined)
  })

  test(`${name}: a sweep removes turns that ended before, at most its limit, and no running one`, async (context) => {
    const { log, clock } = await make(context)
    for (const turnId of ['turn_a', 'turn_b', 'turn_c']) {
      await log.open(sampleStart({ turnId }), LEASE_MS)
      await log.append(turnId, 1, [turnEnd])
    }
    await log.open(sampleStart({ turnId: 'turn_running' }), LEASE_MS)
    const endedAt = clock.now()
    await clock.advance(1000)
    assert.equal(await log.sweep(endedAt, 10), 0)
    assert.equal(await log.sweep(endedAt + 1, 2), 2)
    assert.equal(await log.sweep(endedAt + 1, 2), 1)
    assert.equal(await log.sweep(clock.now(), 2), 0)
    assert.equal(await log.read('turn_a', -1), undefined)
    assert.notEqual(await log.read('turn_running', -1), undefined)
  })

  test(`${name}: removing a session removes its ended turns, and no others`, async (context) => {
    const { log } = await make(context)
    for (const [turnId, sessionId] of [
      ['turn_a', 'sess_1'],
      ['turn_b', 'sess_2'],
    ] as const) {
      await log.open(sampleStart({ turnId, sessionId }), LEASE_MS)
      await log.append(turnId, 1, [turnEnd])
    }
    await log.open(sampleStart({ turnId: 'turn_running', sessionId: 'sess_1' }), LEASE_MS)
    assert.deepEqual(await log.forgetSession('sess_1'), ['turn_a'])
    assert.equal(await log.read('turn_a', -1), undefined)
    assert.notEqual(await log.read('turn_b', -1), undefined)
    assert.notEqual(await log.read('turn_running', -1), undefined)
    assert.deepEqual(await log.forgetSession('sess_1'), [])
  })
}

function following(name: string, make: MakeTurnLog): void {
  test(`${name}: a reader gets existing and new records once each, until the end`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, [text(0, 'a')])
    const all = collectLog(log)
    const late = collectLog(log, { afterSeq: 1 })
    await clock.advance(0)
    await log.append('turn_1', 1, [text(1, 'b')])
    await clock.advance(0)
    await log.append('turn_1', 1, [textEnd])
    await log.append('turn_1', 1, [turnEnd])
    assert.deepEqual(
      (await all).map(({ seq }) => seq),
      [0, 1, 2, 3, 4],
    )
    assert.deepEqual(
      (await late).map(({ seq }) => seq),
      [2, 3, 4],
    )
  })

  test(`${name}: a reader of an ended turn gets its records and ends`, async (context) => {
    const { log } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, [text(0, 'a'), turnEnd])
    assert.deepEqual(
      (await collectLog(log, { afterSeq: 0 })).map(({ kind }) => kind),
      ['text', 'turn-end'],
    )
    assert.deepEqual(await collectLog(log, { afterSeq: 2 }), [])
  })

  test(`${name}: a reader of an unknown turn ends at once`, async (context) => {
    const { log } = await make(context)
    assert.deepEqual(await collectLog(log, { turnId: 'turn_unknown' }), [])
  })

  test(`${name}: a reader gets the whole of a long turn after its end`, async (context) => {
    const { log } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.append(
      'turn_1',
      1,
      Array.from({ length: 1500 }, (_, index) => text(index, 'x')),
    )
    await log.append('turn_1', 1, [turnEnd])
    const records = await collectLog(log)
    assert.deepEqual(
      records.map(({ seq }) => seq),
      Array.from({ length: 1502 }, (_, index) => index),
    )
  })

  test(`${name}: a slow reader misses nothing and delays no other reader`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    const slow = log.follow('turn_1', -1, new AbortController().signal)[Symbol.asyncIterator]()
    const first = await slow.next()
    const fast = collectLog(log)
    for (let index = 0; index < 50; index += 1) await log.append('turn_1', 1, [text(index, 'x')])
    await log.append('turn_1', 1, [turnEnd])
    assert.equal((await fast).length, 52)
    await clock.advance(1000)
    const seqs: number[] = first.done === true ? [] : first.value.map(({ seq }) => seq)
    for (let next = await slow.next(); next.done !== true; next = await slow.next())
      seqs.push(...next.value.map(({ seq }) => seq))
    assert.deepEqual(
      seqs,
      Array.from({ length: 52 }, (_, index) => index),
    )
  })

  test(`${name}: an abort ends a waiting reader without an error`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    const controller = new AbortController()
    const following = collectLog(log, {}, controller.signal)
    await clock.advance(0)
    controller.abort()
    assert.equal((await following).length, 1)
    assert.deepEqual(await collectLog(log, {}, AbortSignal.abort()), [])
  })

  test(`${name}: a session's new turns are delivered from the call until the abort`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart({ turnId: 'turn_before' }), LEASE_MS)
    const controller = new AbortController()
    const turns = log.followSession('sess_1', controller.signal)
    await log.open(sampleStart({ turnId: 'turn_a' }), LEASE_MS)
    await log.open(sampleStart({ turnId: 'turn_elsewhere', sessionId: 'sess_2' }), LEASE_MS)
    const seen: string[] = []
    const watching = (async () => {
      for await (const start of turns) seen.push(start.turnId)
    })()
    await clock.advance(0)
    await log.open(sampleStart({ turnId: 'turn_b' }), LEASE_MS)
    await clock.advance(0)
    controller.abort()
    await watching
    assert.deepEqual(seen, ['turn_a', 'turn_b'])
  })
}

function stopping(name: string, make: MakeTurnLog): void {
  test(`${name}: a stop request reaches each listener once, and later listeners too`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    const called: string[] = []
    using _early = log.onStop('turn_1', () => called.push('early'))
    await log.requestStop('turn_1')
    await log.requestStop('turn_1')
    await clock.advance(0)
    assert.deepEqual(called, ['early'])
    using _late = log.onStop('turn_1', () => called.push('late'))
    assert.deepEqual(called, ['early'], 'not before the call has returned')
    await clock.advance(0)
    assert.deepEqual(called, ['early', 'late'])
  })

  test(`${name}: a disposed listener is not called`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    const called: string[] = []
    log.onStop('turn_1', () => called.push('left'))[Symbol.dispose]()
    await log.requestStop('turn_1')
    log.onStop('turn_1', () => called.push('left too'))[Symbol.dispose]()
    await clock.advance(0)
    assert.deepEqual(called, [])
  })

  test(`${name}: stopping an ended or an unknown turn changes nothing`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, [turnEnd])
    await log.requestStop('turn_1')
    await log.requestStop('turn_unknown')
    let wasStopped = false
    using _ended = log.onStop('turn_1', () => (wasStopped = true))
    using _unknown = log.onStop('turn_unknown', () => (wasStopped = true))
    await clock.advance(0)
    assert.equal(wasStopped, false)
    assert.equal((await log.read('turn_1', -1))?.length, 2)
  })

  test(`${name}: a stop request survives a takeover`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.requestStop('turn_1')
    await clock.advance(LEASE_MS)
    await log.takeOver('turn_1', LEASE_MS)
    let wasStopped = false
    using _ = log.onStop('turn_1', () => (wasStopped = true))
    await clock.advance(0)
    assert.equal(wasStopped, true)
  })
}
