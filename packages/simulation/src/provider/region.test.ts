// A simulated provider passes the contract of a model, enforces its quota, slots and queue, and keeps working for
// callers who left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anchorOf } from '@mangaassist/server/domain/continuation/anchor'
import { seededRandom } from '../virtual/random.ts'
import { VirtualTime } from '../virtual/time.ts'
import { TurnAbort } from '@mangaassist/server/domain/turn/turn-abort'
import { modelContract, sampleModelRequest } from '@mangaassist/server/ports/model/contract'
import type { Model, ModelPart, ModelRequest } from '@mangaassist/server/ports/model/port'
import { textMessage } from '@mangaassist/server/domain/model/model-message'
import { answerTo } from './answer-text.ts'
import { WELL } from './health.ts'
import type { Health } from './health.ts'
import type { CallFacts, CallOutcome } from './call.ts'
import { isFailed, regionOf } from './region.ts'
import type { RegionParts } from './region.ts'

const CAPACITY = { slots: 4, tokensPerMinute: 1_000_000, firstTokenMs: 500, tokensPerSecond: [40, 80] } as const
const UNTIL_MS = 3_600_000

interface Received {
  readonly parts: ModelPart[]
  readonly atMs: number[]
}

function world(over: Partial<RegionParts> = {}, seed = 1) {
  const drain = () => new Promise<void>((resolve) => setImmediate(resolve))
  const time = new VirtualTime({ startsAt: 0, random: seededRandom(`${seed}/ties`), drain })
  const clock = time.clock()
  const health: { now: Health } = { now: WELL }
  const calls: CallFacts[] = []
  const ends: { readonly number: number; readonly outcome: CallOutcome; readonly at: number }[] = []
  const region = regionOf({
    lane: 'primary',
    modelId: 'model-a',
    clock,
    random: seededRandom(seed),
    capacity: CAPACITY,
    health: () => health.now,
    onCall: (call) => void calls.push(call),
    onEnd: ({ number }, outcome, at) => void ends.push({ number, outcome, at }),
    ...over,
  })
  const ask = (model: Model, over: Partial<ModelRequest> = {}): Received => {
    const received: Received = { parts: [], atMs: [] }
    const read = async () => {
      for await (const part of model.stream(sampleModelRequest(over))) {
        received.parts.push(part)
        received.atMs.push(clock.now())
      }
    }
    void read()
    return received
  }
  const run = (until = UNTIL_MS) => time.run({ until, eventsMax: 1_000_000 })
  return { region, clock, health, calls, ends, ask, run }
}

const textOf = ({ parts }: Received) => parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')
const lastOf = ({ parts }: Received) => {
  const last = parts.at(-1)
  return last?.type === 'model-error' ? last.class : last?.type
}

modelContract('a simulated region', async (context) => {
  const drain = () => new Promise<void>((resolve) => setImmediate(resolve))
  const time = new VirtualTime({ startsAt: 0, random: seededRandom(2), drain })
  let isOver = false
  context.after(() => {
    isOver = true
  })
  const keepGoing = async () => {
    while (!isOver) await time.run({ until: Number.MAX_SAFE_INTEGER, eventsMax: 1_000_000 })
  }
  void keepGoing()
  const parts = { lane: 'primary', modelId: 'model-a', clock: time.clock(), capacity: CAPACITY }
  return regionOf({ ...parts, random: seededRandom(1), health: () => WELL }).modelFor('node-1')
})

test('a region streams the answer to the question in a few pieces at its own pace', async () => {
  const { region, ask, run } = world()
  const received = ask(region.modelFor('n1'), { messages: [textMessage('user', '泣ける漫画')] })
  await run()
  assert.equal(textOf(received), answerTo('泣ける漫画', 'model-a').text)
  assert.equal(received.parts.filter(({ type }) => type === 'text-delta').length, 6)
  assert.equal(lastOf(received), 'message-end')
  const { tokens } = answerTo('泣ける漫画', 'model-a')
  const spokenMs = received.atMs.at(-1)! - received.atMs[0]!
  assert.ok(spokenMs >= (tokens / 80) * 1000 - 10 && spokenMs <= (tokens / 40) * 1000 + 10)
})

test('the same seed gives the same parts at the same times, another seed different ones', async () => {
  const trace = async (seed: number) => {
    const { region, health, ask, run } = world({}, seed)
    health.now = { ...WELL, errorShare: 0.2, silenceShare: 0.1, cutShare: 0.2, stallShare: 0.1 }
    const received = Array.from({ length: 40 }, (_, index) =>
      ask(region.modelFor(`n${index % 3}`), { messages: [textMessage('user', `q${index}`)], deadlineAt: 60_000 }),
    )
    await run()
    return JSON.stringify([received, [...region.counts().failures], region.counts().outputTokens])
  }
  assert.equal(await trace(1), await trace(1))
  assert.notEqual(await trace(1), await trace(2))
})

test('calls beyond the slots wait in a queue and start in order of arrival', async () => {
  const { region, ends, ask, run } = world({ capacity: { ...CAPACITY, slots: 1 } })
  const model = region.modelFor('n1')
  for (let index = 0; index < 5; index += 1) ask(model)
  await run(1)
  assert.deepEqual([region.busy(), region.waiting(), region.alive('n1')], [1, 4, 5])
  await run()
  assert.deepEqual(
    ends.map(({ number }) => number),
    [1, 2, 3, 4, 5],
  )
  assert.deepEqual([region.busy(), region.waiting(), region.alive()], [0, 0, 0])
})

test('a full queue refuses calls', async () => {
  const { region, ask, run } = world({ capacity: { ...CAPACITY, slots: 1 }, habits: { queueMax: 2 } })
  const model = region.modelFor('n1')
  const received = Array.from({ length: 4 }, () => ask(model))
  await run()
  assert.deepEqual(received.map(lastOf), ['message-end', 'message-end', 'message-end', 'unavailable'])
})

test('a longer queue slows the work down, up to a bound', async () => {
  const meanMs = async (stretchPerQueue: number) => {
    const { region, ends, ask, run } = world({ capacity: { ...CAPACITY, slots: 2 }, habits: { stretchPerQueue } })
    for (let index = 0; index < 12; index += 1) ask(region.modelFor('n1'))
    await run()
    return ends.reduce((sum, { at }) => sum + at, 0) / ends.length
  }
  const [plain, stretched] = [await meanMs(0), await meanMs(10)]
  assert.ok(stretched > plain * 1.2 && stretched < plain * 1.51)
})

test('a call reserves its maximum cost from the quota and is settled to the real cost', async () => {
  const capacity = { ...CAPACITY, tokensPerMinute: 60_000 }
  const { region, ask, run } = world({ capacity, inputTokens: () => 1000 })
  const full = region.quotaLeft()
  assert.equal(full, 5000)
  const model = region.modelFor('n1')
  const first = ask(model, { maxOutputTokens: 3500 })
  const second = ask(model, { maxOutputTokens: 3500 })
  await run(1)
  assert.ok(Math.abs(region.quotaLeft() - (full - 4500)) <= 1)
  await run()
  assert.deepEqual([first, second].map(lastOf), ['message-end', 'throttled'])
  assert.equal(region.quotaLeft(), full)
  assert.equal(region.counts().inputTokens, 1000)
})

test('a lower limit of output tokens lets more calls through the same quota', async () => {
  const passed = async (maxOutputTokens: number) => {
    const { region, ask, run } = world({
      capacity: { ...CAPACITY, slots: 100, tokensPerMinute: 120_000 },
      inputTokens: () => 200,
    })
    for (let index = 0; index < 50; index += 1) ask(region.modelFor('n1'), { maxOutputTokens })
    await run()
    return region.counts().ended
  }
  assert.ok((await passed(300)) > 2 * (await passed(2000)))
})

test('calls never use more tokens than the quota over a long time', async () => {
  const capacity = { ...CAPACITY, slots: 1000, tokensPerMinute: 60_000 }
  const { region, clock, ask, run } = world({ capacity, inputTokens: () => 300 })
  const model = region.modelFor('n1')
  for (let index = 0; index < 600; index += 1) clock.after(index * 100, () => void ask(model, { maxOutputTokens: 512 }))
  await run()
  const { inputTokens, outputTokens, failures, ended } = region.counts()
  assert.ok(inputTokens + outputTokens <= 5000 + 60_000)
  assert.ok(inputTokens + outputTokens >= 45_000)
  assert.equal(ended + (failures.get('throttled') ?? 0), 600)
})

test('a region that grants by the minute and charges for refusals serves callers less, the more often they come back', async () => {
  const servedOf = async (everyMs: number) => {
    const { region, clock, ask, run } = world({
      capacity: { ...CAPACITY, slots: 1000, tokensPerMinute: 20_000 },
      habits: { quotaGrant: 'minute', quotaRefusedShare: 0.3, retryAfterShare: 0 },
      inputTokens: () => 500,
    })
    const received: Received[] = []
    for (let atMs = 0; atMs < 240_000; atMs += everyMs)
      clock.after(atMs, () => void received.push(ask(region.modelFor('n1'), { maxOutputTokens: 500 })))
    await run(240_000)
    assert.ok(received.every(({ parts: [part] }) => part?.type !== 'model-error' || part.retryAfterMs === undefined))
    return region.counts().ended
  }
  const [calm, hasty, frantic] = [await servedOf(3000), await servedOf(1000), await servedOf(250)]
  assert.equal(calm, 80)
  assert.ok(hasty < calm && hasty > frantic * 1.5, `${calm}, ${hasty}, ${frantic}`)
})

test('some 429s have a retry-after, in whole seconds', async () => {
  const { region, health, ask, run } = world()
  health.now = { ...WELL, quotaShare: 0 }
  const received = Array.from({ length: 40 }, () => ask(region.modelFor('n1')))
  await run()
  const waits = received.map(({ parts: [part] }) => (part?.type === 'model-error' ? part.retryAfterMs : 0))
  assert.ok(received.every((one) => lastOf(one) === 'throttled'))
  assert.ok(waits.includes(undefined) && waits.some((ms) => ms !== undefined && ms > 0 && ms % 1000 === 0))
})

test('the slot of a caller who leaves stays busy until the work ends', async () => {
  const { region, clock, ask, run } = world({ capacity: { ...CAPACITY, slots: 1 } })
  const controller = new AbortController()
  const left = ask(region.modelFor('n1'), { signal: controller.signal })
  const next = ask(region.modelFor('n2'))
  clock.after(100, () => controller.abort(new Error('too slow')))
  await run(100)
  assert.deepEqual([region.busy(), region.waiting(), region.alive('n1')], [1, 1, 0])
  assert.equal(lastOf(left), 'cancelled')
  await run()
  assert.equal(lastOf(next), 'message-end')
  assert.ok(next.atMs[0]! > 1000)
  assert.deepEqual([region.counts().abandoned, region.counts().failures.get('timeout')], [1, 1])
  assert.ok(region.counts().inputTokens > 0)
})

test('without abandoned work a slot is freed at once, and queued calls without a caller are skipped', async () => {
  const { region, ask, run } = world({ capacity: { ...CAPACITY, slots: 1 }, habits: { abandonedWork: false } })
  const controller = new AbortController()
  ask(region.modelFor('n1'), { signal: controller.signal })
  ask(region.modelFor('n1'), { signal: controller.signal })
  ask(region.modelFor('n2'))
  await run(100)
  controller.abort(new TurnAbort('stopped'))
  await run(101)
  assert.deepEqual([region.busy(), region.waiting(), region.alive()], [1, 0, 1])
  await run()
  const { ended, cancelled, abandoned, failed } = region.counts()
  assert.deepEqual([ended, cancelled, abandoned, failed], [1, 2, 0, 0])
})

test('a dead node receives nothing more, and its calls are still worked on', async () => {
  const { region, ends, ask, run } = world()
  const received = ask(region.modelFor('n1'))
  const other = ask(region.modelFor('n2'))
  await run(10)
  region.nodeDied('n1')
  await run(11)
  assert.deepEqual([region.alive('n1'), region.alive('n2'), region.busy()], [0, 1, 2])
  await run()
  assert.deepEqual(received.parts, [])
  assert.equal(lastOf(other), 'message-end')
  assert.equal(ends.find(({ number }) => number === 1)?.outcome, 'node-died')
  assert.deepEqual([region.counts().died, region.counts().failed, region.busy()], [1, 0, 0])
})

test('a silent provider ends with a timeout at the deadline', async () => {
  const { region, health, ask, run } = world()
  health.now = { ...WELL, silenceShare: 1 }
  const received = ask(region.modelFor('n1'), { deadlineAt: 20_000 })
  await run()
  assert.deepEqual([lastOf(received), received.atMs[0], region.busy()], ['timeout', 20_000, 0])
})

test('5xx come quickly, cuts in the middle of the answer, and stalls fall silent after some words', async () => {
  const outcome = async (ill: Partial<Health>) => {
    const { region, health, ask, run } = world({ capacity: { ...CAPACITY, slots: 100 } })
    const full = region.quotaLeft()
    health.now = { ...WELL, ...ill }
    const received = Array.from({ length: 30 }, () => ask(region.modelFor('n1'), { deadlineAt: 30_000 }))
    await run()
    assert.deepEqual([region.busy(), region.alive(), region.quotaLeft()], [0, 0, full])
    return received
  }
  const ill = await outcome({ errorShare: 1 })
  assert.deepEqual(new Set(ill.map(lastOf)), new Set(['unavailable', 'internal']))
  assert.ok(ill.every(({ parts, atMs }) => parts.length === 1 && atMs[0]! <= 150))
  const cut = await outcome({ cutShare: 1 })
  assert.ok(cut.every((received) => lastOf(received) === 'stream-broken'))
  assert.ok(cut.some((received) => textOf(received) !== '') && cut.some((received) => textOf(received) === ''))
  const stalled = await outcome({ stallShare: 1 })
  assert.ok(stalled.every((received) => lastOf(received) === 'timeout' && received.atMs.at(-1) === 30_000))
})

test('half of the slots run half as many calls, and a reduced quota applies at once', async () => {
  const { region, health, ask, run } = world()
  health.now = { ...WELL, slotShare: 0.5, quotaShare: 0.1 }
  for (let index = 0; index < 4; index += 1) ask(region.modelFor('n1'), { maxOutputTokens: 100 })
  await run(1)
  assert.deepEqual([region.busy(), region.waiting()], [2, 2])
  assert.ok(region.quotaLeft() < 8334)
})

test('a call reports its start, its deadline and its outcome once', async () => {
  const { region, calls, ends, ask, run } = world()
  ask(region.modelFor('n7'), { deadlineAt: 9000, maxOutputTokens: 64, shown: 'こちらの作品は' })
  await run()
  assert.deepEqual(calls, [
    {
      lane: 'primary',
      node: 'n7',
      turnId: 'turn_1',
      number: 1,
      at: 0,
      deadlineAt: 9000,
      maxOutputTokens: 64,
      isContinuation: true,
    },
  ])
  assert.deepEqual(
    ends.map(({ outcome }) => outcome),
    ['ended'],
  )
})

test('an answer longer than the token limit ends with the stop reason length', async () => {
  const { region, ask, run } = world()
  const received = ask(region.modelFor('n1'), { maxOutputTokens: 16 })
  await run()
  assert.deepEqual(received.parts.at(-1), { type: 'message-end', stopReason: 'length' })
  assert.equal(region.counts().outputTokens, 16)
})

test('some deltas split a surrogate pair, and some answers report no usage', async () => {
  const { region, ask, run } = world({ capacity: { ...CAPACITY, slots: 400, tokensPerMinute: 1e9 } })
  const received = Array.from({ length: 300 }, (_, index) =>
    ask(region.modelFor('n1'), { messages: [textMessage('user', `q${index}`)] }),
  )
  await run()
  const deltas = received.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])),
  )
  assert.ok(deltas.some((text) => !text.isWellFormed()))
  assert.ok(received.every((one) => textOf(one).isWellFormed()))
  const withUsage = received.filter(({ parts }) => parts.some(({ type }) => type === 'usage')).length
  assert.ok(withUsage > 260 && withUsage < 300)
})

test('a continued answer sometimes restarts or overlaps', async () => {
  const { region, ask, run } = world({ capacity: { ...CAPACITY, slots: 400, tokensPerMinute: 1e9 } })
  const shown = answerTo('q', 'model-b').text.slice(0, 80)
  const received = Array.from({ length: 200 }, () => ask(region.modelFor('n1'), { shown }))
  await run()
  const texts = received.map(textOf)
  const restarts = texts.filter((text) => text.startsWith(shown)).length
  const asAsked = texts.filter((text) => text.startsWith(anchorOf(shown))).length
  const overlaps = texts.filter((text) => text.startsWith(shown.slice(-24))).length
  assert.ok(asAsked > 60 && anchorOf(shown) !== shown.slice(-24))
  assert.ok(restarts > 10 && overlaps > 10 && restarts + overlaps < 120)
})

test('a call that ended, was cancelled or lost its node is not a failed call', () => {
  assert.deepEqual((['ended', 'cancelled', 'node-died'] as const).filter(isFailed), [])
  assert.ok((['throttled', 'timeout', 'unavailable', 'stream-broken'] as const).every(isFailed))
})
