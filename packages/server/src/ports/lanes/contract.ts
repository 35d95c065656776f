// The contract of lanes. `make` returns new ones over `testPolicies`, and their clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asked, call, first, LANES_LEASE_MS, NARROW_LIMIT, pass, retry, trip } from '#fixtures/lanes/shared-lanes.ts'
import type { MakeLanes } from '#fixtures/lanes/shared-lanes.ts'

export function lanesContract(name: string, make: MakeLanes): void {
  permitting(name, make)
  leasing(name, make)
  opening(name, make)
  operating(name, make)
}

function permitting(name: string, make: MakeLanes): void {
  test(`${name}: of many concurrent calls as many pass as may be in flight, and an ended call makes room`, async (context) => {
    const { lanes } = await make(context)
    const asks = Array.from({ length: 20 }, (_, index) => asked(lanes, 'narrow', first(`a${index}`)))
    const said = await Promise.all(asks)
    assert.equal(said.filter((one) => one === 'permit').length, NARROW_LIMIT)
    assert.equal(said.filter((one) => one === 'saturated').length, 20 - NARROW_LIMIT)
    await lanes.report('narrow', `a${said.indexOf('permit')}`, 'success')
    assert.equal(await asked(lanes, 'narrow', first('b')), 'permit')
    assert.equal(await asked(lanes, 'narrow', first('c')), 'saturated')
  })

  test(`${name}: a repeated request gets the same permit, and a call is reported once`, async (context) => {
    const { lanes, clock } = await make(context)
    const answer = await lanes.permit('main', first('a'))
    await clock.advance(10)
    assert.deepEqual(await lanes.permit('main', first('a')), answer)
    assert.equal((await lanes.peek('main')).inFlight, 1)
    for (let times = 0; times < 3; times += 1) await lanes.report('main', 'a', 'fault')
    const { inFlight, recent } = await lanes.peek('main')
    assert.deepEqual([inFlight, recent.failures], [0, 1])
  })

  test(`${name}: retries are paid from a bucket that successes fill`, async (context) => {
    const { lanes } = await make(context)
    const said: string[] = []
    for (let index = 0; index < 6; index += 1) said.push(await asked(lanes, 'narrow', retry(`r${index}`)))
    // Three calls are in flight, which is the limit of the lane.
    assert.deepEqual(said, ['permit', 'permit', 'permit', 'saturated', 'saturated', 'saturated'])
    for (let index = 0; index < 3; index += 1) await lanes.report('narrow', `r${index}`, 'fault')
    assert.equal((await lanes.peek('narrow')).bucket, 10)
    for (const id of ['s', 't']) await asked(lanes, 'narrow', retry(id))
    assert.equal(await asked(lanes, 'narrow', retry('u')), 'retry-bucket')
    for (const id of ['s', 't']) await lanes.report('narrow', id, 'success')
    assert.equal((await lanes.peek('narrow')).bucket, 2)
  })

  test(`${name}: a quick throttle keeps its slot for half a second`, async (context) => {
    const { lanes, clock } = await make(context)
    await lanes.permit('main', first('a'))
    await lanes.report('main', 'a', 'overload')
    assert.equal((await lanes.peek('main')).inFlight, 1)
    await clock.advance(500)
    assert.equal((await lanes.peek('main')).inFlight, 0)
  })

  test(`${name}: no two lanes share anything`, async (context) => {
    const { lanes, clock } = await make(context)
    await trip(lanes, 'main', clock)
    assert.deepEqual([lanes.seen('main').phase, lanes.seen('other').phase], ['open', 'closed'])
    assert.equal(await call(lanes, 'other', 'success'), 'permit')
    await assert.rejects(lanes.permit('nobody', first('a')), RangeError)
  })

  test(`${name}: shed calls are counted, and listeners are notified of a change`, async (context) => {
    const { lanes, clock } = await make(context)
    await lanes.tick()
    const changed: string[] = []
    using _ = lanes.onChange((lane) => changed.push(lane))
    await lanes.permit('narrow', first('a'))
    await lanes.shed('narrow')
    await lanes.report('narrow', 'a', 'success')
    assert.ok(changed.includes('narrow'))
    await pass(lanes, clock, 500)
    assert.equal(lanes.seen('narrow').recent.shed, 1)
  })
}

function leasing(name: string, make: MakeLanes): void {
  test(`${name}: the permit of a dead owner expires, and its later report is ignored`, async (context) => {
    const { lanes, clock } = await make(context)
    await lanes.permit('main', first('a'))
    await pass(lanes, clock, LANES_LEASE_MS)
    await lanes.report('main', 'a', 'fault')
    const { inFlight, recent } = await lanes.peek('main')
    assert.deepEqual([inFlight, recent.failures], [0, 0])
  })

  test(`${name}: the first text counts as the success and extends the lease`, async (context) => {
    const { lanes, clock } = await make(context)
    await lanes.permit('main', first('a'))
    await lanes.served('main', 'a', 60_000)
    await lanes.served('main', 'a', 60_000)
    assert.equal((await lanes.peek('main')).recent.calls, 1)
    await pass(lanes, clock, 59_500)
    assert.equal((await lanes.peek('main')).inFlight, 1)
    await lanes.report('main', 'a', 'success')
    const { inFlight, recent } = await lanes.peek('main')
    assert.deepEqual([inFlight, recent.calls], [0, 0])
  })

  test(`${name}: the probe of a dead owner expires, and another passes`, async (context) => {
    const { lanes, clock } = await make(context)
    await trip(lanes, 'main', clock)
    await pass(lanes, clock, 2500)
    assert.deepEqual(
      [await asked(lanes, 'main', first('dead')), await asked(lanes, 'main', first('next'))],
      ['probe', 'probing'],
    )
    await pass(lanes, clock, LANES_LEASE_MS)
    assert.equal(await asked(lanes, 'main', first('next')), 'probe')
    await lanes.report('main', 'dead', 'fault')
    assert.equal((await lanes.peek('main')).phase, 'half-open')
  })
}

function opening(name: string, make: MakeLanes): void {
  test(`${name}: an open lane reports when it probes next and lets one probe pass; reading it takes none`, async (context) => {
    const { lanes, clock } = await make(context)
    await trip(lanes, 'main', clock)
    const refused = await lanes.permit('main', first('a'))
    assert.deepEqual(refused, { kind: 'refused', why: 'open', retryAfterMs: 2000 })
    await pass(lanes, clock, 2500)
    for (let read = 0; read < 5; read += 1) await lanes.peek('main')
    assert.equal(lanes.seen('main').phase, 'half-open')
    assert.deepEqual(
      [await asked(lanes, 'main', first('b')), await asked(lanes, 'main', first('c'))],
      ['probe', 'probing'],
    )
  })

  test(`${name}: a lane recovers by stages of probes, and then slowly`, async (context) => {
    const { lanes, clock } = await make(context)
    await trip(lanes, 'main', clock)
    await pass(lanes, clock, 2500)
    const CALLS_MAX = 100
    const probes: string[] = []
    for (let stage = 0; stage < 3; stage += 1) {
      for (let calls = 0; calls < CALLS_MAX; calls += 1) {
        const said = await call(lanes, 'main', 'success')
        if (said !== 'probe') break
        probes.push(said)
      }
      await pass(lanes, clock, 500)
    }
    assert.equal(probes.length, 14)
    assert.deepEqual([lanes.seen('main').level, lanes.seen('main').phase], ['recovery', 'recovering'])
    assert.equal(await asked(lanes, 'main', retry('r')), 'no-retries')
  })

  test(`${name}: the result of an older epoch is ignored`, async (context) => {
    const { lanes, clock } = await make(context)
    await lanes.permit('main', first('old'))
    await trip(lanes, 'main', clock)
    await pass(lanes, clock, 2500)
    await lanes.report('main', 'old', 'success')
    const { phase, probes, inFlight } = await lanes.peek('main')
    assert.deepEqual([phase, probes?.passed, inFlight], ['half-open', 0, 0])
  })
}

function operating(name: string, make: MakeLanes): void {
  test(`${name}: an operator forces a lane open, returns it to its controller or disables its circuit, and is named`, async (context) => {
    const { lanes, clock } = await make(context)
    const shut = await lanes.operate('main', 'force-open', 'Aiko')
    assert.deepEqual([shut.operator?.by, shut.operator?.action], ['Aiko', 'force-open'])
    assert.deepEqual([shut.level, shut.phase, shut.opensAt], ['open', 'open', null])
    await pass(lanes, clock, 1000)
    assert.deepEqual([await call(lanes, 'main', 'success'), lanes.seen('main').level], ['open', 'open'])
    await lanes.operate('main', 'reset', 'Ben')
    assert.equal(await call(lanes, 'main', 'success'), 'permit')
    await lanes.operate('main', 'disable', 'Ben')
    await trip(lanes, 'main', clock)
    assert.equal(await call(lanes, 'main', 'fault'), 'permit')
  })

  test(`${name}: time and a reset refill the retry bucket`, async (context) => {
    const { lanes, clock } = await make(context)
    const drain = async () => {
      for (let index = 0; index < 5; index += 1) {
        const id = `retry ${clock.now()} ${index}`
        await lanes.permit('main', { id, ask: { kind: 'retry', after: { class: 'throttled', tookMs: 10 } } })
        await lanes.report('main', id, 'neutral')
      }
      return (await lanes.peek('main')).bucket
    }
    assert.equal(await drain(), 0)
    await pass(lanes, clock, 10_000)
    assert.equal((await lanes.peek('main')).bucket, 5)
    await lanes.operate('main', 'reset', 'Ben')
    assert.equal((await lanes.peek('main')).bucket, 25)
  })
}
