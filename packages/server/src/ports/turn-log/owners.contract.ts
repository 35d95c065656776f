// The contract of a turn's owners: leases, takeovers, and what a new epoch fences.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleStart } from '#fixtures/turns/samples.ts'
import { collectLog, LEASE_MS, text, turnEnd } from '#fixtures/turns/turn-logs.ts'
import type { MakeTurnLog } from '#fixtures/turns/turn-logs.ts'

export function turnLogOwnersContract(name: string, make: MakeTurnLog): void {
  test(`${name}: an owned turn is no orphan and cannot be taken over`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await clock.advance(LEASE_MS - 1)
    assert.deepEqual(await log.orphans(10), [])
    assert.equal(await log.takeOver('turn_1', LEASE_MS), undefined)
  })

  test(`${name}: a renewed lease counts from the renewal`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await clock.advance(LEASE_MS - 1)
    assert.notEqual(await log.renew('turn_1', 1, LEASE_MS), undefined)
    await clock.advance(LEASE_MS - 1)
    assert.deepEqual(await log.orphans(10), [])
    await clock.advance(1)
    assert.deepEqual(await log.orphans(10), ['turn_1'])
  })

  test(`${name}: one node takes over a lapsed turn, and its epoch fences the old owner`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, [text(0, 'a')])
    await clock.advance(LEASE_MS)
    const epochs = await Promise.all([log.takeOver('turn_1', LEASE_MS), log.takeOver('turn_1', LEASE_MS)])
    assert.deepEqual(epochs, [2, undefined])
    assert.equal(await log.append('turn_1', 1, [text(1, 'b')]), false)
    assert.equal(await log.renew('turn_1', 1, LEASE_MS), undefined)
    assert.equal(await log.append('turn_1', 2, [text(1, 'c')]), true)
    const records = (await log.read('turn_1', 0)) ?? []
    assert.deepEqual(
      records.map(({ seq, epoch }) => [seq, epoch]),
      [
        [1, 1],
        [2, 2],
      ],
    )
    await clock.advance(LEASE_MS)
    assert.equal(await log.takeOver('turn_1', LEASE_MS), 3)
  })

  test(`${name}: a reader continues through a takeover`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, [text(0, 'a')])
    const following = collectLog(log)
    await clock.advance(LEASE_MS)
    await log.takeOver('turn_1', LEASE_MS)
    await log.append('turn_1', 2, [text(1, 'b')])
    await clock.advance(0)
    await log.append('turn_1', 2, [turnEnd])
    assert.deepEqual(
      (await following).map(({ seq, epoch }) => [seq, epoch]),
      [
        [0, 1],
        [1, 1],
        [2, 2],
        [3, 2],
      ],
    )
  })

  test(`${name}: an ended or unknown turn is never taken over, renewed or an orphan`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, [turnEnd])
    await clock.advance(LEASE_MS * 2)
    assert.deepEqual(await log.orphans(10), [])
    assert.equal(await log.takeOver('turn_1', LEASE_MS), undefined)
    assert.equal(await log.takeOver('turn_unknown', LEASE_MS), undefined)
    assert.equal(await log.renew('turn_1', 1, LEASE_MS), undefined)
    assert.equal(await log.renew('turn_unknown', 1, LEASE_MS), undefined)
  })

  test(`${name}: orphans are returned oldest lapse first, at most the limit`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart({ turnId: 'turn_later' }), LEASE_MS * 2)
    await log.open(sampleStart({ turnId: 'turn_sooner' }), LEASE_MS)
    await clock.advance(LEASE_MS * 2)
    assert.deepEqual(await log.orphans(10), ['turn_sooner', 'turn_later'])
    assert.deepEqual(await log.orphans(1), ['turn_sooner'])
  })

  test(`${name}: a released turn can be taken over at once, and its owner writes nothing more`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await log.append('turn_1', 1, [text(0, 'a')])
    const following = collectLog(log)
    await clock.advance(0)
    await log.release('turn_1', 1)
    assert.deepEqual(await log.orphans(10), ['turn_1'])
    assert.equal(await log.takeOver('turn_1', LEASE_MS), 2)
    assert.equal(await log.append('turn_1', 1, [text(1, 'b')]), false)
    await log.append('turn_1', 2, [text(1, 'c'), turnEnd])
    const texts = (await following).flatMap((record) => (record.kind === 'text' ? record.text : []))
    assert.deepEqual(texts, ['a', 'c'])
  })

  test(`${name}: what another node owns, has ended or is unknown is not released`, async (context) => {
    const { log, clock } = await make(context)
    await log.open(sampleStart(), LEASE_MS)
    await clock.advance(LEASE_MS)
    await log.takeOver('turn_1', LEASE_MS)
    await log.release('turn_1', 1)
    await log.release('turn_unknown', 1)
    assert.deepEqual([await log.orphans(10), await log.takeOver('turn_1', LEASE_MS)], [[], undefined])
    await log.append('turn_1', 2, [turnEnd])
    await log.release('turn_1', 2)
    assert.deepEqual(await log.orphans(10), [])
  })

  test(`${name}: a listener is called after a release, until it is disposed`, async (context) => {
    const { log, clock } = await make(context)
    const calls = { kept: 0, left: 0 }
    using _kept = log.onReleased(() => (calls.kept += 1))
    log.onReleased(() => (calls.left += 1))[Symbol.dispose]()
    // The first calls may be lost.
    for (let turn = 1; turn <= 100 && calls.kept === 0; turn += 1) {
      await log.open(sampleStart({ turnId: `turn_${turn}` }), LEASE_MS)
      await log.release(`turn_${turn}`, 1)
      await clock.advance(0)
    }
    assert.deepEqual([calls.kept > 0, calls.left], [true, 0])
  })
}
