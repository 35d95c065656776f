// The delivery promise: any text in any pieces, two readers that come and go, a stop, and owners that are lost in between.
// Each reader's text is always a prefix of the turn's, and at the end equal to it, by length and by hash.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createApp } from '#app/app.ts'
import type { App } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { severable } from '#fixtures/stores/severable.ts'
import { END, say, scriptedModel, START } from '#fixtures/models/scripted-model.ts'
import { readable } from '#lib/text/readable.ts'
import { anyDeltas } from '#fixtures/shop/texts.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'

/**
 * Leaves time for the first text after the last loss. With the usual time, an owner that is lost twice before it leaves too
 * little for a model call, and the shopper gets the fallback: right, but not the subject here.
 */
const config: Config = {
  ...testConfig,
  tiers: {
    free: {
      inputTokensPerDay: 400_000,
      outputTokensPerDay: 200_000,
      microUsdPerDay: 1_000_000,
      requestsPerMinute: 30,
      outputTokensPerRequest: 512,
      rateFactor: 1,
    },
  },
  deadlines: { ...testConfig.deadlines, stream: { ...testConfig.deadlines.stream, firstWordMs: 90_000 } },
}

interface Reader {
  text: string
  hash: string | undefined
  finishReason: string | undefined
}

/** Reads some frames, disconnects for a while, and returns with what it has; after its last visit it stays. */
type Visits = readonly { readonly frames: number; readonly absentMs: number }[]

const visits: fc.Arbitrary<Visits> = fc.array(fc.record({ frames: fc.nat(4), absentMs: fc.nat(400) }), { maxLength: 4 })
const moments = fc.option(fc.nat(30_000), { nil: undefined })

async function setUp(deltas: readonly string[], waitMs: number) {
  const ports = await testPorts()
  const steps = [START, ...deltas.flatMap((delta) => [{ waitMs }, say(delta)]), END]
  const model = scriptedModel(ports.clock, steps, 'embedded')
  let cut = severable({ ...ports, models: new Map([['embedded', model]]) })
  let app = createApp(cut.ports, config)
  app.start()
  return {
    ports,
    calls: () => model.requests.length,
    app: () => app,
    /** The owner dies with all its memory, and another starts. */
    loseOwner() {
      cut.sever()
      cut = severable({ ...ports, models: new Map([['embedded', model]]) })
      app = createApp(cut.ports, config)
      app.start()
    },
  }
}

async function read(app: () => App, turnId: string, plan: Visits, wait: (ms: number) => Promise<void>, into: Reader) {
  for (const visit of [...plan, { frames: Number.POSITIVE_INFINITY, absentMs: 0 }]) {
    const leave = new AbortController()
    let frames = 0
    for await (const frame of await app().read(GUEST, { turnId, offset: into.text.length }, leave.signal)) {
      if (frame.type === 'chunk') {
        assert.equal(frame.offset, into.text.length, 'neither a gap nor a word twice')
        into.text += frame.text
      } else if (frame.type === 'done') {
        into.hash = frame.sha256
        into.finishReason = frame.finishReason
        return
      }
      frames += 1
      if (frames >= visit.frames) break
    }
    leave.abort()
    await wait(visit.absentMs)
  }
}

/** Every model call is booked once; ledger, budget and the turn's end agree on what the shopper pays. The shop pays a lost owner's call without a word. */
async function checkBooks({ ports, calls }: Awaited<ReturnType<typeof setUp>>, turnId: string): Promise<void> {
  const rows = await ports.ledger.ofTurn(turnId)
  const last = (await ports.turnLog.read(turnId, -1))?.at(-1)
  assert.equal(last?.kind, 'turn-end')
  assert.equal(rows.filter(({ attempt }) => attempt > 0).length, calls())
  const paid = rows.filter(({ principalId }) => principalId === GUEST.id)
  const sum = (kind: 'inputTokens' | 'outputTokens') => paid.reduce((total, row) => total + row[kind], 0)
  const day = dayOf(ports.clock.now(), config.store.timeZone)
  const { used, reserved } = await ports.budgets.quota(GUEST.id, tierLimits(config, 'free'), day)
  for (const kind of ['inputTokens', 'outputTokens'] as const) {
    const reported: number = last.end.usage[kind]
    assert.deepEqual([sum(kind), used[kind], reserved[kind]], [reported, reported, 0])
  }
}

const lostTwiceBeforeAWord = {
  answer: { text: 'a', deltas: ['a'] },
  waitMs: 101,
  readers: [[], []] as [Visits, Visits],
  stopAt: undefined,
  losses: [0, 0],
}

/** Chance alone reaches the last epoch in most runs, not in all. */
const lostThreeTimes = {
  ...lostTwiceBeforeAWord,
  answer: { text: 'abc', deltas: ['a', 'b', 'c'] },
  losses: [150, 150, 150],
}

test('whatever happens, each reader always has a prefix of the answer, and all of it at the end', async () => {
  const happenings = fc.record({
    // A silent model leads to the fallback, which is not the subject here.
    answer: anyDeltas.filter(({ text }) => readable(text) !== ''),
    waitMs: fc.integer({ min: 20, max: 120 }),
    readers: fc.tuple(visits, visits),
    stopAt: moments,
    // Owners are lost repeatedly, each some time after it has begun to ask the model.
    losses: fc.array(fc.nat(250), { maxLength: 3 }),
  })
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(happenings, async ({ answer, waitMs, readers, stopAt, losses }) => {
      const shown = readable(answer.text)
      const world = await setUp(answer.deltas, waitMs)
      const { clock, turnLog } = world.ports
      const { turnId } = await world.app().chat(sampleReceived({ principal: GUEST }))
      // A lost owner's readers are lost with it; these read directly from the log, like those of another node.
      const onNode = () => createApp(world.ports, config)
      const states = readers.map((): Reader => ({ text: '', hash: undefined, finishReason: undefined }))
      const wait = (ms: number) => clock.sleep(ms)
      const reading = states.map((into, index) => read(onNode, turnId, readers[index] ?? [], wait, into))
      if (stopAt !== undefined) clock.after(stopAt, () => void world.app().stop(GUEST, turnId))
      let allRead = false
      let lost = 0
      const all = Promise.all(reading).then(() => (allRead = true))
      for (let polls = 0; polls < 900 && !allRead; polls += 1) {
        const lossMs = world.calls() > lost ? losses[lost] : undefined
        if (lossMs !== undefined) {
          lost += 1
          clock.after(lossMs, world.loseOwner)
        }
        await clock.advance(100)
        assert.ok(
          states.every(({ text }) => shown.startsWith(text)),
          'what is shown is never taken back',
        )
      }
      assert.ok(allRead, 'every reader gets the end')
      await all
      const [first, second] = states
      assert.equal(first?.text, second?.text)
      for (const { text, hash } of states) assert.equal(createHash('sha256').update(text).digest('hex'), hash)
      if (first?.finishReason === 'stop') assert.equal(first.text, shown)
      await checkBooks(world, turnId)
      const epoch = (await turnLog.read(turnId, -1))?.at(-1)?.epoch ?? 0
      for (const state of [first?.finishReason ?? 'none', `epoch ${epoch}`]) seen.set(state, (seen.get(state) ?? 0) + 1)
    }),
    { numRuns: 150, examples: [[lostTwiceBeforeAWord], [lostThreeTimes]] },
  )
  for (const state of ['stop', 'stopped', 'epoch 2', 'epoch 3', 'epoch 4'])
    assert.ok((seen.get(state) ?? 0) > 0, `never saw ${state}`)
})
