// Waiting for a lane: which turn gets the next permit, which is refused and when, and that nothing is left behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import type { Place, Priority, QueueSettings } from '#domain/queue/fair-queue.ts'
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { first, narrowPolicy, NARROW_LIMIT, testPolicies, trip } from '#fixtures/lanes/shared-lanes.ts'
import { listenersOf } from '#fixtures/time/streams.ts'
import { boundedLanes } from './bounded-lanes.ts'
import { pacedLanes } from './lane-pace.ts'
import { createWaitingQueue } from './waiting-queue.ts'
import type { Entered, Entry } from './waiting-queue.ts'

function begin(over: Partial<QueueSettings> = {}, policies = testPolicies) {
  const clock = manualClock()
  let ids = 0
  const random = { float: () => 0.5, id: (prefix: string) => `${prefix}_${(ids += 1)}` }
  const lanes = memoryLanes({ clock, random, policies, leaseMs: 60_000 })
  const line = createWaitingQueue({ lanes, clock, random, settings: { ...queueDefaults, ...over } })
  const controller = new AbortController()
  const enter = (given: Partial<Entry> & { lane?: string; priority?: Priority } = {}) => {
    let entered: Entered | undefined
    const places: Place[] = []
    const entry: Entry = {
      sessionId: given.sessionId ?? `sess_${(ids += 1)}`,
      priority: 'normal',
      firstWordBy: clock.now() + 25_000,
      waitMaxMs: 30_000,
      signal: controller.signal,
      onPlace: (place) => places.push(place),
      ...given,
    }
    const done = line.enter(given.lane ?? 'narrow', entry).then((answer) => (entered = answer))
    return { done, places, entered: () => entered, kind: () => entered?.kind }
  }
  const settle = () => clock.advance(0)
  /** Fills the lane; its calls can be ended by number. */
  const fill = async () => {
    const held = await Promise.all(Array.from({ length: NARROW_LIMIT }, () => enter().done))
    return held.map((one) => (one.kind === 'permit' ? one.permit.id : assert.fail(one.kind)))
  }
  return { clock, lanes, line, controller, enter, settle, fill }
}

test('with room in the lane no turn waits', async () => {
  const { enter, clock, line } = begin()
  const { done, places } = enter()
  assert.equal((await done).kind, 'permit')
  assert.deepEqual([places, line.size(), clock.timers()], [[], 0, 0])
})

test('at a full lane a turn waits with its position, and the first free slot wakes it', async () => {
  const { enter, fill, lanes, line, settle, clock } = begin()
  const [held = ''] = await fill()
  const [one, two] = [enter(), enter()]
  await settle()
  assert.deepEqual([one.places, two.places.map(({ position }) => position)], [[{ position: 1, etaMs: 250 }], [2]])
  await lanes.report('narrow', held, 'success')
  await settle()
  assert.deepEqual([one.kind(), two.kind(), line.size()], ['permit', undefined, 1])
  const permit = one.entered()
  await lanes.report('narrow', permit?.kind === 'permit' ? permit.permit.id : '', 'success')
  assert.equal((await two.done).kind, 'permit')
  assert.equal(clock.timers(), 0)
})

test('how long the oldest turn has waited is known at each lane', async () => {
  const { clock, enter, fill, lanes, line, settle } = begin()
  const [held = ''] = await fill()
  const first = enter()
  await clock.advance(2000)
  enter()
  await clock.advance(500)
  assert.equal(line.oldestMs().get('narrow'), 2500)
  await lanes.report('narrow', held, 'success')
  await settle()
  assert.deepEqual([first.kind(), line.oldestMs().get('narrow')], ['permit', 500])
})

test('higher priorities are served first, and a new turn does not overtake waiting ones', async () => {
  const { enter, fill, lanes, settle } = begin()
  const held = await fill()
  const low = enter({ priority: 'low' })
  const high = enter({ priority: 'high' })
  await settle()
  await lanes.report('narrow', held[0] ?? '', 'success')
  const late = enter({ priority: 'low' })
  await settle()
  assert.deepEqual([high.kind(), low.kind(), late.kind()], ['permit', undefined, undefined])
  await lanes.report('narrow', held[1] ?? '', 'success')
  await settle()
  assert.deepEqual([low.kind(), late.kind()], ['permit', undefined])
})

test('a turn does not wait longer than its limit, nor into the time that its first text needs', async () => {
  const { enter, fill, clock, settle } = begin()
  await fill()
  const short = enter({ waitMaxMs: 1000 })
  const pressed = enter({ firstWordBy: NOON + 5000 })
  const hopeless = enter({ firstWordBy: NOON + 3000 })
  await settle()
  assert.deepEqual([short.kind(), pressed.kind(), hopeless.kind()], [undefined, undefined, 'late'])
  await clock.advance(999)
  assert.equal(short.kind(), undefined)
  await clock.advance(1)
  assert.deepEqual([short.kind(), pressed.kind()], ['late', undefined])
  await clock.advance(1000)
  assert.deepEqual([pressed.kind(), clock.timers()], ['late', 0])
})

test('a turn that does not wait is refused as full, and the lane counts each shed call', async () => {
  const { enter, fill, lanes, clock } = begin({ entriesMax: 1 })
  await fill()
  assert.deepEqual(await enter({ waitMaxMs: 0 }).done, { kind: 'refused', why: 'saturated' })
  const waiting = enter({ waitMaxMs: 2000 })
  await clock.advance(0)
  assert.deepEqual(await enter({ waitMaxMs: 0 }).done, { kind: 'refused', why: 'saturated' })
  assert.deepEqual(await enter().done, { kind: 'full', retryAfterMs: 1000 })
  await clock.advance(2000)
  assert.equal(waiting.kind(), 'late')
  assert.equal((await lanes.peek('narrow')).recent.shed, 4)
})

test('the queue’s limit applies to the node, over all its lanes', async () => {
  const policies = new Map([...testPolicies, ['narrow too', narrowPolicy(0)]])
  const { enter, fill, settle } = begin({ entriesMax: 2 }, policies)
  await fill()
  const waiting = [enter(), enter({ lane: 'narrow too' })]
  await settle()
  assert.deepEqual(
    waiting.map(({ kind }) => kind()),
    [undefined, undefined],
  )
  assert.equal((await enter({ lane: 'narrow too' }).done).kind, 'full')
})

test('the entry of a client that leaves is removed, and the next one gets the permit', async () => {
  const { enter, fill, lanes, line, controller, clock, settle } = begin()
  const [held = ''] = await fill()
  const gone = new AbortController()
  const [left, stays] = [enter({ signal: gone.signal }), enter()]
  await settle()
  gone.abort()
  assert.deepEqual([(await left.done).kind, line.size(), listenersOf(gone.signal)], ['left', 1, 0])
  await lanes.report('narrow', held, 'success')
  assert.equal((await stays.done).kind, 'permit')
  assert.deepEqual([clock.timers(), listenersOf(controller.signal)], [0, 0])
  assert.equal((await enter({ signal: gone.signal }).done).kind, 'left')
})

test('a permit without a waiting turn is returned at once', async () => {
  const { lanes, line, clock, controller, enter, fill, settle } = begin()
  const held = await fill()
  const waiting = enter()
  await settle()
  const freed = lanes.report('narrow', held[0] ?? '', 'success')
  controller.abort()
  await freed
  await settle()
  assert.equal(waiting.kind(), 'left')
  assert.equal((await lanes.peek('narrow')).inFlight, NARROW_LIMIT - 1)
  const late = new AbortController()
  const asking = enter({ signal: late.signal })
  late.abort()
  assert.equal((await asking.done).kind, 'left')
  assert.equal((await lanes.peek('narrow')).inFlight, NARROW_LIMIT - 1)
  assert.deepEqual([line.size(), clock.timers()], [0, 0])
})

test('polling notices a slot that another node freed, and new arrivals do not postpone the poll', async () => {
  const { fill, clock, lanes, settle } = begin()
  const [held = ''] = await fill()
  // Lanes of another node, which is not notified of changes here.
  const deaf = { ...lanes, onChange: () => ({ [Symbol.dispose]() {} }) }
  let ids = 0
  const random = { id: (prefix: string) => `${prefix}_far_${(ids += 1)}` }
  const far = createWaitingQueue({ lanes: deaf, clock, random, settings: queueDefaults })
  const entry = { sessionId: 's', priority: 'normal', firstWordBy: NOON + 25_000, waitMaxMs: 5000 } as const
  const kinds: string[] = []
  const enter = () => {
    const { signal } = new AbortController()
    void far.enter('narrow', { ...entry, signal }).then(({ kind }) => kinds.push(kind))
  }
  enter()
  await settle()
  await lanes.report('narrow', held, 'success')
  for (let step = 0; step < 2; step += 1) {
    await clock.advance(100)
    enter()
  }
  assert.deepEqual(kinds, [])
  await clock.advance(50)
  assert.deepEqual(kinds, ['permit'])
  far[Symbol.dispose]()
})

test('when the circuit opens, waiting turns leave, and no turn begins to wait', async () => {
  const { enter, lanes, clock, settle } = begin()
  const held = await Promise.all(Array.from({ length: 3 }, () => enter({ lane: 'narrow' }).done))
  assert.ok(held.every(({ kind }) => kind === 'permit'))
  await trip(lanes, 'main', clock)
  assert.deepEqual(await enter({ lane: 'main' }).done, { kind: 'refused', why: 'open', retryAfterMs: 2000 })
  const policies = new Map([['narrow', { ...narrowPolicy(0), gate: gateBy(() => isShut) }]])
  let isShut = false
  const shutting = begin({}, policies)
  const waiting = [shutting.enter(), shutting.enter()]
  await shutting.settle()
  isShut = true
  await shutting.lanes.tick()
  await settle()
  assert.deepEqual(
    waiting.map(({ entered }) => entered()),
    Array.from({ length: 2 }, () => ({ kind: 'refused', why: 'open' })),
  )
  assert.equal(shutting.clock.timers(), 0)
})

const gateBy =
  (isShut: () => boolean) =>
  ({ epoch }: { readonly epoch: number }) => {
    const common = { epoch, bucketMax: 25, refill: 0 }
    return isShut()
      ? ({ ...common, kind: 'shut' } as const)
      : ({ ...common, kind: 'free', limit: 0, overloadsMax: null, startsMax: null, retry: null } as const)
  }

/**
 * Many turns at once at a lane with one connection, whose calls take `callMs`; returns each turn's positions and outcome.
 */
async function crowdAtOneConnection(people: number, callMs: number, calls = 1) {
  const clock = manualClock()
  let ids = 0
  const random = { float: () => 0.5, id: (prefix: string) => `${prefix}_${(ids += 1)}` }
  const connections = new Map([['main', 1]])
  const memory = memoryLanes({ clock, random, policies: testPolicies, leaseMs: 60_000 })
  const { lanes, intervalMs } = pacedLanes(boundedLanes(memory, connections), clock)
  const line = createWaitingQueue({
    lanes,
    clock,
    random,
    settings: queueDefaults,
    connections,
    expectedMs: intervalMs,
  })
  const { signal } = new AbortController()
  const ask = async (sessionId: string) => {
    const from = clock.now()
    let predictedMs: number | undefined
    const onPlace = ({ etaMs }: Place) => void (predictedMs ??= etaMs)
    const entry = { sessionId, priority: 'normal', firstWordBy: from + 25_000, waitMaxMs: 20_000, signal } as const
    const { kind, ...entered } = await line.enter('main', { ...entry, onPlace })
    const waitedMs = clock.now() - from
    if ('permit' in entered) {
      await clock.sleep(callMs)
      await lanes.report('main', entered.permit.id, 'success')
    }
    return { kind, predictedMs, waitedMs }
  }
  const before: Promise<unknown>[] = []
  for (let call = 1; call < calls; call += 1) {
    before.push(ask(`before_${call}`))
    await clock.advance(callMs)
  }
  const all = Promise.all(Array.from({ length: people }, (_, index) => ask(`sess_${index}`)))
  for (let step = 0; step < 300; step += 1) await clock.advance(100)
  return all
}

test('with one connection and six turns all are served in order, within their limits', async () => {
  const all = await crowdAtOneConnection(6, 2700)
  assert.deepEqual(
    all.map(({ kind, waitedMs }) => [kind, Math.round(waitedMs / 2700)]),
    Array.from({ length: 6 }, (_, index) => ['permit', index]),
  )
})

test('a turn that cannot be served in time leaves when that is certain', async () => {
  const all = await crowdAtOneConnection(12, 2700)
  const [served, late] = [all.filter(({ kind }) => kind === 'permit'), all.filter(({ kind }) => kind === 'late')]
  assert.equal(served.length, 8)
  assert.deepEqual(new Set(late.map(({ waitedMs }) => waitedMs)), new Set([20_000]))
})

test('the predicted wait is near the real one from the start, and better after the first call', async () => {
  for (const [calls, off] of [
    [1, 0.25],
    [4, 0.05],
  ] as const) {
    const all = await crowdAtOneConnection(6, 2700, calls)
    for (const { predictedMs, waitedMs } of all.slice(1)) {
      assert.ok(Math.abs((predictedMs ?? 0) / waitedMs - 1) <= off, `${predictedMs} predicted, ${waitedMs} waited`)
    }
  }
})

test('positions are updated as the queue moves, at most once a second', async () => {
  const { enter, fill, lanes, clock, settle } = begin()
  const held = await fill()
  const waiting = Array.from({ length: 4 }, () => enter())
  await settle()
  const last = waiting.at(-1)
  await clock.advance(1000)
  for (const id of held) await lanes.report('narrow', id, 'success')
  await settle()
  await clock.advance(1000)
  const positions = last?.places.map(({ position }) => position) ?? []
  assert.deepEqual([positions[0], positions.at(-1)], [4, 1])
  assert.ok(positions.length <= 3, `${positions.length} times`)
})

test('closing the queue ends every wait and leaves nothing behind', async () => {
  const { enter, fill, line, clock, controller, settle, lanes } = begin()
  await fill()
  const waiting = [enter(), enter({ priority: 'high' })]
  await settle()
  line[Symbol.dispose]()
  assert.deepEqual(await Promise.all(waiting.map(async ({ done }) => (await done).kind)), ['left', 'left'])
  assert.equal((await enter().done).kind, 'left')
  assert.deepEqual([clock.timers(), listenersOf(controller.signal), line.size()], [0, 0, 0])
  assert.equal((await lanes.permit('narrow', first('x'))).kind, 'refused')
})

test('whatever arrives and leaves, no permit is lost and every turn gets a result', async () => {
  const { enter, lanes, clock, line, settle } = begin({ entriesMax: 5 })
  let seed = 1
  const chanceOf = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const all: ReturnType<typeof enter>[] = []
  const open = new Set<string>()
  for (let step = 0; step < 300; step += 1) {
    const client = new AbortController()
    all.push(enter({ signal: client.signal, waitMaxMs: chanceOf(3000), sessionId: `s${chanceOf(4)}` }))
    if (chanceOf(5) === 0) client.abort()
    for (const got of all.map(({ entered }) => entered())) if (got?.kind === 'permit') open.add(got.permit.id)
    if (chanceOf(2) === 0) for (const id of open) await lanes.report('narrow', id, 'success')
    await clock.advance(chanceOf(200))
    assert.ok((await lanes.peek('narrow')).inFlight <= NARROW_LIMIT)
  }
  for (let step = 0; step < 40; step += 1) {
    for (const got of all.map(({ entered }) => entered()))
      if (got?.kind === 'permit') await lanes.report('narrow', got.permit.id, 'success')
    await clock.advance(250)
  }
  await settle()
  assert.ok(all.every(({ entered }) => entered() !== undefined))
  assert.deepEqual([line.size(), clock.timers(), (await lanes.peek('narrow')).inFlight], [0, 0, 0])
  assert.deepEqual(new Set(all.map(({ kind }) => kind())), new Set(['permit', 'late', 'left', 'full']))
})

test('a full queue has room for a premium turn: the newest guest gives way, and nothing else', async () => {
  const { enter, fill, line, settle } = begin({ entriesMax: 3 })
  await fill()
  const [user, guest, newest] = [enter(), enter({ isGuest: true }), enter({ isGuest: true })]
  await settle()
  const late = enter()
  await settle()
  assert.deepEqual([late.kind(), line.canDisplace()], ['full', true])
  for (const displaced of [newest, guest]) {
    const premium = enter({ priority: 'high' })
    await settle()
    assert.deepEqual([displaced.kind(), premium.kind(), line.size()], ['full', undefined, 3])
  }
  const none = enter({ priority: 'high' })
  await settle()
  assert.deepEqual([none.kind(), user.kind(), line.canDisplace()], ['full', undefined, false])
  line[Symbol.dispose]()
})
