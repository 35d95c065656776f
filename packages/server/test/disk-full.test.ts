// A disk that is full, in the whole app over a real database: it is not held against the model, every question has an end, and
// the answer is there when there is room again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { sqliteTurnLog } from '#adapters/sqlite/turn-log/turn-log.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { END, say, scriptedModel, START, usage } from '#fixtures/models/scripted-model.ts'
import { fullDisk } from '#fixtures/stores/full-disk.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'

const QUESTIONS = 6
const STEP_MS = 250
const config: Config = { ...testConfig, models: { primary: { provider: 'bedrock', id: 'p' } }, ladder: ['primary'] }

test('while the disk is full no call counts against its model, every reader gets an end, and the answers follow', async (context) => {
  const ports = await testPorts()
  const { clock, telemetry } = ports
  const database = tempDatabase(context, clock)
  const script = [START, say('はい、'), { waitMs: 2000 }, say('読めます。'.repeat(2000)), usage(10, 10), END] as const
  const models = new Map([['primary', scriptedModel(clock, script, 'primary-id')]])
  const lanes = testLanes(ports, config)
  const app = createApp({ ...ports, turnLog: sqliteTurnLog({ database, clock }), models, lanes }, config)
  app.start()
  const principalOf = (index: number) => ({ ...GUEST, id: `guest_${index}` })
  const read = async (index: number, turnId: string) =>
    collect(await app.read(principalOf(index), { turnId, offset: 0 }, new AbortController().signal))
  const turnIds: string[] = []
  const ends: unknown[] = []
  for (let index = 0; index < QUESTIONS; index += 1) {
    const message = `ベルセルクは？ ${index}`
    const scope = telemetry.scope({ door: 'ws', name: 'chat' })
    const asked = { principal: principalOf(index), requestId: `r${index}`, message, scope }
    const { turnId } = await app.chat(sampleReceived(asked))
    turnIds.push(turnId)
    read(index, turnId).then(
      (frames) => ends.push(frames.at(-1)?.type),
      (error: unknown) => ends.push(error),
    )
  }
  // In steps, because each write takes a turn of the event loop.
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) await clock.advance(STEP_MS)
  }
  await pass(1000)
  {
    using _full = fullDisk(database)
    await pass(3000)
    assert.equal(telemetry.logged.filter(({ event }) => event === 'turn.abandoned').length, QUESTIONS)
    assert.ok(app.admin.seenLanes().every(({ phase, recent }) => phase === 'closed' && recent.failures === 0))
    await pass(22_000)
    assert.equal(ends.length, QUESTIONS)
    assert.ok(ends.every((end) => end instanceof StoreUnavailable))
  }
  assert.ok(telemetry.logged.every(({ event }) => event !== 'model.attempt-failed'))
  await pass(30_000)
  for (const [index, turnId] of turnIds.entries()) {
    const last = (await read(index, turnId)).at(-1)
    assert.ok(last?.type === 'done' && last.tier === 'primary', JSON.stringify(last))
  }
  const drained = app.drain()
  await clock.advance(60_000)
  await drained
})
