// Processes on one real Redis share a lane: together they hold every permit and never more, and the permits of a killed
// process become free.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { holdPolicies } from '#fixtures/lanes/hold-permits.ts'
import type { Held, HoldOrder } from '#fixtures/lanes/hold-permits.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { asked, call, random, first } from '#fixtures/lanes/shared-lanes.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { systemRandom } from '../../system/random.ts'
import { systemClock } from '../../system/clock.ts'
import { openRedis } from '../client/connection.ts'
import { redisLanes } from './lanes.ts'

const CHILD = join(import.meta.dirname, '../../../../test/fixtures/lanes/hold-permits.ts')
const LIMIT = 37
const WAIT = { callMs: 30_000, connectMs: 30_000 }

async function started(context: TestContext, order: HoldOrder): Promise<ChildProcess> {
  const child = fork(CHILD, [JSON.stringify(order)])
  context.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

async function send(child: ChildProcess, what: string): Promise<Held> {
  const answered = once(child, 'message')
  child.send(what)
  return (await answered)[0] as Held
}

async function ownLanes(context: TestContext, url: string) {
  const [clock, telemetry] = [systemClock(), memoryTelemetry()]
  const redis = await openRedis({ url, random: systemRandom(), clock, telemetry, ...WAIT })
  context.after(() => redis[Symbol.asyncDispose]())
  const policies = holdPolicies(LIMIT)
  return redisLanes({ redis, clock, random, telemetry, nodeId: 'test', policies, leaseMs: 120_000 })
}

test('lanes: two processes on one Redis share a lane’s permits exactly', async (context) => {
  await using server = await startRedis()
  const order = { url: server.url, count: 300, limit: LIMIT }
  const children = await Promise.all(['one', 'two'].map((name) => started(context, { ...order, name })))
  const both = (what: string) => Promise.all(children.map((child) => send(child, what)))
  for (let rush = 0; rush < 2; rush += 1) {
    const held = await both('rush')
    assert.equal(held.flatMap(({ granted }) => granted).length, LIMIT)
    await both('back')
  }
  const most = Math.max(...(await both('churn')).map(({ mostHeld }) => mostHeld))
  assert.ok(most > 1 && most <= LIMIT, `${most} were held at once`)
  const lanes = await ownLanes(context, server.url)
  assert.equal((await lanes.peek('narrow')).inFlight, 0)
})

test('lanes: the probe of a killed process becomes free, and the lane recovers', async (context) => {
  await using server = await startRedis()
  const lanes = await ownLanes(context, server.url)
  const child = await started(context, { url: server.url, name: 'doomed', count: 1, limit: LIMIT, leaseMs: 3000 })
  for (let failure = 0; failure < 3; failure += 1) await call(lanes, 'probed', 'fault')
  const until = (what: string, isSo: () => boolean | Promise<boolean>) =>
    waitUntil(what, async () => {
      await lanes.tick()
      return isSo()
    })
  await until('the lane is half-open', () => lanes.seen('probed').phase === 'half-open')
  assert.equal((await send(child, 'probe')).granted.length, 1)
  child.kill('SIGKILL')
  assert.equal(await asked(lanes, 'probed', first('mine')), 'probing')
  await until('the lost probe is given again', async () => (await asked(lanes, 'probed', first('mine'))) === 'probe')
  await lanes.report('probed', 'mine', 'success')
  await until('the next stage of probing', () => lanes.seen('probed').probes?.stage === 1)
})
