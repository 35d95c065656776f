// The order in which a turn's models are asked, from its facts and its settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { informing } from '@mangaassist/bookseller/fixtures/dialogue'
import { sampleGrounded } from '#fixtures/turns/turns.ts'
import { sampleJudged, sampleRouting } from '#fixtures/turns/routing.ts'
import type { RoutingSettings } from '#domain/routing/routing-settings.ts'
import { createRouter } from './router.ts'
import type { RouterParts } from './router.ts'

const LADDER = ['primary', 'economy', 'spare']
const routerWith = (settings: Partial<RoutingSettings> = {}, over: Partial<RouterParts> = {}) =>
  createRouter({
    settingsFor: ({ start }) => ({ routing: sampleRouting(settings), exposures: [], unit: start.principal.id }),
    judge: () => sampleJudged('simple'),
    stateOf: () => ({ timeLeftMs: 15_000, budgetLeft: 1, lanesDown: [] }),
    hasResponder: true,
    ...over,
  })

test('with routing off the ladder stays as it is, and the question is weighed all the same', () => {
  const weighed = { judged: sampleJudged('simple'), plain: [] }
  assert.deepEqual(routerWith({ enabled: false })(sampleGrounded(), LADDER), { models: LADDER, weighed })
})

test('the chosen model comes first, the others follow, and those above it are not below the choice', () => {
  const { models, routing, plan } = routerWith()(sampleGrounded(), LADDER)
  assert.deepEqual(models, ['economy', 'primary', 'spare'])
  assert.deepEqual([routing?.choice?.first, routing?.unit, routing?.exposures], ['economy', 'guest_1', []])
  assert.deepEqual(plan, { order: models, notBelow: ['primary', 'economy'], arms: [] })
})

test('a rule of the moment changes what is asked, and not where cached answers are found', () => {
  const rules = [{ name: 'late', when: { timeLeftUnderMs: 20_000 }, use: 'primary' }]
  const { models, plan } = routerWith({ rules })(sampleGrounded(), LADDER)
  assert.deepEqual(models, LADDER)
  assert.deepEqual(plan?.order, ['economy', 'primary', 'spare'])
})

test('the judgement is given the sureness that the settings ask for', () => {
  const asked: number[] = []
  const judge: RouterParts['judge'] = (_, { sureFrom }) => {
    asked.push(sureFrom)
    return sampleJudged('complex')
  }
  assert.deepEqual(routerWith({ sureFrom: 0.42 }, { judge })(sampleGrounded(), LADDER).models, LADDER)
  assert.deepEqual(asked, [0.42])
})

test('a plain question is answered alone, and its models stand by as for any other', () => {
  const plain = sampleGrounded({ grounding: informing(['price']) })
  const { models, plan, routing } = routerWith({ withoutModel: ['price'] })(plain, LADDER)
  assert.deepEqual([routing?.choice?.first, routing?.choice?.rule], ['embedded', 'no-model'])
  assert.deepEqual(models, ['economy', 'primary', 'spare'])
  assert.deepEqual([plan?.isAlone, plan?.notBelow], [true, ['primary', 'economy']])
  const asModel = [
    routerWith({ withoutModel: ['price'] }, { hasResponder: false })(plain, LADDER),
    routerWith({ withoutModel: ['stock'] })(plain, LADDER),
    routerWith({ withoutModel: ['price'] })({ ...plain, missing: ['retrieval'] }, LADDER),
    routerWith({ withoutModel: ['price'] })({ ...plain, escalation: 'complaint' }, LADDER),
  ]
  assert.deepEqual(
    asModel.map((route) => [route.routing?.choice?.rule, route.plan?.isAlone]),
    [
      ['complexity', undefined],
      ['complexity', undefined],
      ['complexity', undefined],
      ['escalated', undefined],
    ],
  )
})

test('an escalated turn says why', () => {
  const { routing } = routerWith()(sampleGrounded({ escalation: 'thumb-down' }), LADDER)
  assert.deepEqual([routing?.choice?.first, routing?.escalation], ['primary', 'thumb-down'])
  const off = routerWith({ escalate: false })(sampleGrounded({ escalation: 'thumb-down' }), LADDER)
  assert.deepEqual([off.routing?.choice?.first, off.routing?.escalation], ['economy', undefined])
})

test('the arms of a turn are in its plan and its record, also where its arm turns routing off', () => {
  const exposures = [{ experiment: 'short', arm: 'control' }]
  const settingsFor = () => ({ routing: sampleRouting({ enabled: false }), exposures, unit: 'guest_0' })
  const { models, plan, routing } = routerWith({}, { settingsFor })(sampleGrounded(), LADDER)
  assert.deepEqual(models, LADDER)
  assert.deepEqual(plan, { order: LADDER, arms: exposures })
  assert.deepEqual(routing, { exposures, unit: 'guest_0' })
})
