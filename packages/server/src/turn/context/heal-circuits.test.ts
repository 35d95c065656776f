// A recovered dependency is found without traffic, and one that is still down is not asked more than its circuit allows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { contextCircuits } from './circuits.ts'
import type { ContextCircuits } from './circuits.ts'
import { createHealCircuits } from './heal-circuits.ts'
import { createLookUp } from './look-up.ts'

async function setUp() {
  const ports = await testPorts()
  const circuits = contextCircuits({ ...ports, config: testConfig })
  let isDown = true
  let asked = 0
  const orDown =
    <Args extends readonly unknown[], Value>(verb: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      asked += 1
      if (isDown) throw new Error('down')
      return verb(...args)
    }
  const search = withVerbs(ports.search, { find: orDown(ports.search.find) })
  const sessions = withVerbs(ports.sessions, { recentTurns: orDown(ports.sessions.recentTurns) })
  const lookUp = createLookUp({ ...ports, search, faq: ports.faq.entries(), contact: testConfig.store.contact })
  const heal = createHealCircuits({ ...ports, circuits, sessions, lookUp })
  /** Makes search and sessions fail until their circuits are open. */
  const breakDown = async () => {
    for (const name of ['search', 'sessions'] as const)
      for (let calls = 0; calls < 3; calls += 1) {
        await circuits[name].run({ ms: 10, signal: new AbortController().signal }, () => fails()).catch(() => {})
        circuits[name].lane.tick()
      }
  }
  const later = async (ms: number) => {
    await ports.clock.advance(ms)
    for (const { lane } of Object.values(circuits)) lane.tick()
  }
  const phases = () => phasesOf(circuits)
  return { heal, breakDown, later, phases, asked: () => asked, recover: () => (isDown = false) }
}

const fails = (): Promise<never> => Promise.reject(new Error('down'))
const phasesOf = (circuits: ContextCircuits) => Object.values(circuits).map(({ lane }) => lane.view().phase)

test('without traffic, search and sessions are used again after one round', async () => {
  const { heal, breakDown, later, phases, recover } = await setUp()
  await breakDown()
  assert.deepEqual(phases(), ['open', 'closed', 'open'])
  await later(10_000)
  assert.deepEqual(phases(), ['half-open', 'closed', 'half-open'])
  recover()
  await heal()
  assert.deepEqual(phases(), ['recovering', 'closed', 'recovering'])
})

test('a dependency that is still down is probed once a round; a healthy or waiting one is not', async () => {
  const { heal, breakDown, later, phases, asked } = await setUp()
  await heal()
  await breakDown()
  await heal()
  assert.equal(asked(), 0)
  await later(10_000)
  await heal()
  await later(500)
  assert.deepEqual([asked(), phases()], [2, ['open', 'closed', 'open']])
})
