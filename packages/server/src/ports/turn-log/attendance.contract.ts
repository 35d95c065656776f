// The part of the turn log's contract about readers: a turn's owner learns how long the turn has had no reader.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleStart } from '#fixtures/turns/samples.ts'
import { text } from '#fixtures/turns/turn-logs.ts'
import type { MakeTurnLog } from '#fixtures/turns/turn-logs.ts'
import type { TurnLog } from './port.ts'

/** Longer than any of these tests lets pass. */
const LEASE_MS = 600_000
const unattendedMs = async (log: TurnLog, epoch = 1) => (await log.renew('turn_1', epoch, LEASE_MS))?.unattendedMs

/** Starts a reader that has got the first batch and then does not ask for more. */
async function follower(log: TurnLog, signal: AbortSignal = new AbortController().signal) {
  const batches = log.follow('turn_1', -1, signal)[Symbol.asyncIterator]()
  assert.notEqual((await batches.next()).done, true)
  return batches
}

export function turnLogAttendanceContract(name: string, make: MakeTurnLog): void {
  test(`${name}: a turn without a reader is unattended since its opening; single reads do not count`, async (context) => {
    const { log, clock } = await make(context)
    await clock.advance(1000)
    await log.open(sampleStart(), LEASE_MS)
    assert.equal(await unattendedMs(log), 0)
    await clock.advance(5000)
    await log.read('turn_1', -1)
    await log.start('turn_1')
    await log.append('turn_1', 1, [text(0, 'a')])
    assert.equal(await unattendedMs(log), 5000)
    await clock.advance(2000)
    assert.equal(await unattendedMs(log), 7000)
  })

  test(`${name}: a turn with a reader is attended, even when the reader asks for nothing`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await clock.advance(5000)
    const slow = await follower(log)
    assert.equal(await unattendedMs(log), 0)
    await clock.advance(60_000)
    assert.equal(await unattendedMs(log), 0)
    await slow.return?.()
  })

  test(`${name}: a turn is unattended from when its last reader left`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    const [first, second] = [await follower(log), await follower(log)]
    await clock.advance(5000)
    await first.return?.()
    await clock.advance(5000)
    assert.equal(await unattendedMs(log), 0)
    await second.return?.()
    await clock.advance(3000)
    assert.equal(await unattendedMs(log), 3000)
    const third = await follower(log)
    assert.equal(await unattendedMs(log), 0)
    await third.return?.()
    await clock.advance(1000)
    assert.equal(await unattendedMs(log), 1000)
  })

  test(`${name}: a broken loop and an aborted signal end a reader too`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await clock.advance(5000)
    for await (const _ of log.follow('turn_1', -1, new AbortController().signal)) break
    await clock.advance(2000)
    assert.equal(await unattendedMs(log), 2000)

    const controller = new AbortController()
    const waiting = (async () => {
      const batches = await follower(log, controller.signal)
      return (await batches.next()).done
    })()
    await clock.advance(4000)
    controller.abort()
    assert.equal(await waiting, true)
    await clock.advance(1000)
    assert.equal(await unattendedMs(log), 1000)
  })

  test(`${name}: a reader whose signal aborts while it asks for nothing has left`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    const controller = new AbortController()
    const batches = await follower(log, controller.signal)
    await clock.advance(5000)
    controller.abort()
    await clock.advance(1000)
    assert.equal((await batches.next()).done, true)
    assert.equal(await unattendedMs(log), 1000)
  })

  test(`${name}: a new owner gets the same attendance as the old one`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), 1000)
    const reader = await follower(log)
    await clock.advance(5000)
    assert.equal(await log.takeOver('turn_1', LEASE_MS), 2)
    assert.equal(await unattendedMs(log, 2), 0)
    await reader.return?.()
    await clock.advance(3000)
    assert.equal(await unattendedMs(log, 2), 3000)
    assert.equal(await unattendedMs(log, 1), undefined)
  })
}
