// The delivery promise, whatever happens: any text in any pieces, two readers who come and go as they like, a stop, and
// owners that are lost in the middle. Each reader's text is at every moment a prefix of the turn's, and at the end equal
// to it, by length and by hash.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createApp } from '#app.ts'
import type { App } from '#app.ts'
import { worldConfig } from './simulation/world.ts'
import { severable } from './simulation/severable.ts'
import { testPorts } from './fixtures/ports.ts'
import { END, say, scriptedModel, START } from './fixtures/scripted-model.ts'
import { anyDeltas } from './fixtures/texts.ts'
import { GUEST, sampleReceived } from './fixtures/turns.ts'

interface Reader {
  text: string
  hash: string | undefined
  finishReason: string | undefined
}

/** Reads for so many frames, is away for so long, and comes back with what it has; after its last visit it stays. */
type Visits = readonly { readonly frames: number; readonly awayMs: number }[]

const visits: fc.Arbitrary<Visits> = fc.array(fc.record({ frames: fc.nat(4), awayMs: fc.nat(400) }), { maxLength: 4 })
const moments = fc.option(fc.nat(1500), { nil: undefined })

async function setUp(deltas: readonly string[], waitMs: number) {
  const ports = await testPorts()
  const steps = [START, ...deltas.flatMap((delta) => [{ waitMs }, say(delta)]), END]
  const model = scriptedModel(ports.clock, steps, 'embedded')
  let cut = severable({ ...ports, models: new Map([['embedded', model]]) })
  let app = createApp(cut.ports, worldConfig)
  app.start()
  return {
    ports,
    app: () => app,
    /** The owner is gone with all its memory, and another is there. */
    loseOwner() {
      cut.sever()
      cut = severable({ ...ports, models: new Map([['embedded', model]]) })
      app = createApp(cut.ports, worldConfig)
      app.start()
    },
  }
}

async function read(app: () => App, turnId: string, plan: Visits, wait: (ms: number) => Promise<void>, into: Reader) {
  for (const visit of [...plan, { frames: Number.POSITIVE_INFINITY, awayMs: 0 }]) {
    const leave = new AbortController()
    let frames = 0
    for await (const frame of await app().read(GUEST, turnId, into.text.length, leave.signal)) {
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
    await wait(visit.awayMs)
  }
}

test('whatever happens, each reader has a prefix of the answer at every moment, and all of it at the end', async () => {
  const happenings = fc.record({
    // Of a model that says nothing the shopper gets the fallback: not what this is about.
    answer: anyDeltas.filter(({ text }) => text !== ''),
    waitMs: fc.nat(120),
    readers: fc.tuple(visits, visits),
    stopAt: moments,
    lostAt: moments,
  })
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(happenings, async ({ answer, waitMs, readers, stopAt, lostAt }) => {
      const world = await setUp(answer.deltas, waitMs)
      const { clock, turnLog } = world.ports
      const { turnId } = await world.app().chat(sampleReceived({ principal: GUEST }))
      // A lost owner's readers are lost with it; these read straight from the log, as those of another node do.
      const onNode = () => createApp(world.ports, worldConfig)
      const told = readers.map((): Reader => ({ text: '', hash: undefined, finishReason: undefined }))
      const wait = (ms: number) => clock.sleep(ms)
      const reading = told.map((into, index) => read(onNode, turnId, readers[index] ?? [], wait, into))
      if (stopAt !== undefined) clock.after(stopAt, () => void world.app().stop(GUEST, turnId))
      if (lostAt !== undefined) clock.after(lostAt, world.loseOwner)
      let allRead = false
      const all = Promise.all(reading).then(() => (allRead = true))
      for (let looks = 0; looks < 300 && !allRead; looks += 1) {
        await clock.advance(100)
        assert.ok(
          told.every(({ text }) => answer.text.startsWith(text)),
          'what is shown is never taken back',
        )
      }
      assert.ok(allRead, 'every reader is told the end')
      await all
      const [first, second] = told
      assert.equal(first?.text, second?.text)
      for (const { text, hash } of told) assert.equal(createHash('sha256').update(text).digest('hex'), hash)
      if (first?.finishReason === 'stop') assert.equal(first.text, answer.text)
      const epoch = (await turnLog.read(turnId, -1))?.at(-1)?.epoch ?? 0
      for (const state of [first?.finishReason ?? 'none', `epoch ${epoch}`]) seen.set(state, (seen.get(state) ?? 0) + 1)
    }),
    { numRuns: 150 },
  )
  for (const state of ['stop', 'stopped', 'epoch 2']) assert.ok((seen.get(state) ?? 0) > 0, `never saw ${state}`)
})
