// The route of a turn as the answer cache knows it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleRouting } from '#fixtures/turns/routing.ts'
import { sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { createTakenRoutes, firstModels } from './taken-route.ts'

const names = ['primary', 'economy', 'spare']
const whole = names.map((name) => sampleRung(scriptedModel(manualClock(), [], `${name}-id`), { name }))
const routeOf = createTakenRoutes({ names, whole })

test('without a plan, and with the ladder’s own order, the route is the ladder', () => {
  const plain = routeOf(sampleRouted())
  assert.deepEqual([plain.name, plain.first?.name], ['primary:primary-id economy:economy-id spare:spare-id', 'primary'])
  assert.deepEqual(routeOf(sampleRouted({ plan: { order: names, arms: [] } })), plain)
})

test('another first model and another arm are other routes', () => {
  const order = ['economy', 'primary', 'spare']
  const economy = routeOf(sampleRouted({ plan: { order, arms: [] } }))
  assert.deepEqual(
    [economy.name, economy.first?.name],
    ['economy:economy-id primary:primary-id spare:spare-id', 'economy'],
  )
  const arm = routeOf(sampleRouted({ plan: { order, arms: [{ experiment: 'short', arm: 'b' }] } }))
  assert.equal(arm.name, `${economy.name} short=b`)
})

test('the models that may be first are those of the levels, or the ladder’s first without routing', () => {
  const namesOf = (config: Parameters<typeof firstModels>[0]) => firstModels(config, { whole }).map(({ name }) => name)
  assert.deepEqual(namesOf(defaults), ['primary'])
  const routing = { ...defaults.routing, ...sampleRouting({}), rules: [], withoutModel: [] }
  assert.deepEqual(namesOf({ routing }), ['primary', 'economy'])
})
