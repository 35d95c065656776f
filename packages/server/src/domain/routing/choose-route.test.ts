// Which model a turn asks first, and why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PLAIN_QUESTIONS } from '@mangaassist/bookseller/dialogue/plain-question'
import { COMPLEXITIES } from '@mangaassist/bookseller/understanding/complexity'
import { sampleJudged, sampleRouting } from '#fixtures/turns/routing.ts'
import { askedInOrder, chooseRoute, notBelow, plannedRoute } from './choose-route.ts'
import type { RouteFacts, RouteState } from './choose-route.ts'
import { ESCALATIONS } from './route-choice.ts'
import type { RoutingRule, RuleConditions } from './routing-settings.ts'

const CALM: RouteState = { timeLeftMs: 15_000, budgetLeft: 1, lanesDown: [] }
const facts = (over: Partial<RouteFacts> = {}): RouteFacts => ({
  judged: sampleJudged('simple', 0.93),
  plain: [],
  userTier: 'free',
  language: 'en',
  now: CALM,
  ...over,
})
const rule = (when: RuleConditions, use = 'primary', name = 'own'): RoutingRule => ({ name, when, use })

test('simple and moderate questions go to the economy model, complex ones to the primary, and the reason is given', () => {
  const said = COMPLEXITIES.map((level) => chooseRoute(facts({ judged: sampleJudged(level, 0.93) }), sampleRouting()))
  assert.deepEqual(
    said.map(({ first, rule: decided, why }) => [first, decided, why]),
    [
      ['economy', 'complexity', 'economy: simple, 0.93'],
      ['economy', 'complexity', 'economy: moderate, 0.93'],
      ['primary', 'complexity', 'primary: complex, 0.93'],
    ],
  )
})

test('a level above the likeliest says whether the words or the doubt put it there', () => {
  const probabilities = { simple: 0.55, moderate: 0.35, complex: 0.1 }
  const whyOf = (over: Partial<RouteFacts['judged']>) =>
    chooseRoute(facts({ judged: { ...sampleJudged('moderate', 0.5), probabilities, ...over } }), sampleRouting()).why
  assert.equal(whyOf({ floor: 'simple' }), 'economy: moderate unsure, likeliest simple, 0.55')
  assert.equal(whyOf({ floor: 'moderate' }), 'economy: moderate by its words, likeliest simple, 0.55')
})

test('an answer that did not serve sends the next question to the model of complex ones, before any rule', () => {
  const rules = [rule({ userTiers: ['free'] }, 'economy')]
  for (const escalation of ESCALATIONS) {
    const asked = facts({ escalation, plain: ['faq'] })
    const choice = chooseRoute(asked, sampleRouting({ rules, withoutModel: ['faq'] }))
    assert.deepEqual([choice.first, choice.rule], ['primary', 'escalated'])
    assert.equal(chooseRoute(asked, sampleRouting({ rules, escalate: false })).rule, 'own')
  }
})

test('what needs no model is answered without one where the shop allows all of it', () => {
  const routed = (plain: RouteFacts['plain'], withoutModel: RouteFacts['plain']) =>
    chooseRoute(facts({ plain }), sampleRouting({ withoutModel: [...withoutModel] }))
  const { first, rule: decided, why } = routed(['price', 'stock'], ['stock', 'price'])
  assert.deepEqual([first, decided, why], ['embedded', 'no-model', 'embedded: price and stock, sure'])
  assert.equal(routed(['price', 'stock'], ['price']).first, 'economy')
  assert.equal(routed([], ['price']).first, 'economy')
  const compared = { ...facts({}).judged, floor: 'moderate' } as const
  const asked = facts({ plain: ['price'], judged: compared })
  assert.notEqual(chooseRoute(asked, sampleRouting({ withoutModel: ['price'] })).rule, 'no-model')
})

test('the first rule whose conditions all hold decides, and its name is the reason', () => {
  const rules = [
    rule({ userTiers: ['premium'], complexity: ['moderate'] }, 'primary', 'both'),
    rule({ userTiers: ['premium'] }, 'spare', 'premium'),
    rule({ userTiers: ['premium'] }, 'primary', 'never'),
  ]
  const premium = facts({ userTier: 'premium' })
  assert.equal(chooseRoute(premium, sampleRouting({ rules })).why, 'spare: rule premium; simple, 0.93')
  const moderate = { ...premium, judged: sampleJudged('moderate', 0.9) }
  assert.equal(chooseRoute(moderate, sampleRouting({ rules })).rule, 'both')
  assert.equal(chooseRoute(facts(), sampleRouting({ rules })).rule, 'complexity')
})

test('a rule may ask for the language, the page, the budget, the time and the lanes', () => {
  const cases: readonly (readonly [RuleConditions, Partial<RouteFacts>, Partial<RouteFacts>])[] = [
    [{ languages: ['ja'] }, { language: 'ja' }, { language: 'en' }],
    [{ page: '/series/*' }, { path: '/series/12' }, { path: '/cart' }],
    [{ page: '/series/*' }, { path: '/series/' }, {}],
    [{ page: '*/gift' }, { path: '/en/gift' }, { path: '/gifts' }],
    [{ page: '/a*b*c' }, { path: '/a-b-b-c' }, { path: '/a-c-b' }],
    [{ page: '/ab*bc' }, { path: '/abbc' }, { path: '/abc' }],
    [{ page: '/cart' }, { path: '/cart' }, { path: '/cart/1' }],
    [{ budgetLeftUnder: 0.1 }, { now: { ...CALM, budgetLeft: 0.09 } }, { now: { ...CALM, budgetLeft: 0.1 } }],
    [{ timeLeftUnderMs: 8000 }, { now: { ...CALM, timeLeftMs: 7999 } }, { now: { ...CALM, timeLeftMs: 8000 } }],
    [
      { lanesDown: ['economy', 'spare'] },
      { now: { ...CALM, lanesDown: ['spare', 'economy'] } },
      { now: { ...CALM, lanesDown: ['spare'] } },
    ],
  ]
  for (const [when, holding, other] of cases) {
    const rules = [rule(when)]
    assert.equal(chooseRoute(facts(holding), sampleRouting({ rules })).rule, 'own', JSON.stringify(when))
    assert.equal(chooseRoute(facts(other), sampleRouting({ rules })).rule, 'complexity', JSON.stringify(when))
  }
})

test('the planned route takes no notice of the moment', () => {
  const rules = [
    rule({ lanesDown: ['economy'] }, 'primary', 'down'),
    rule({ timeLeftUnderMs: 9000, userTiers: ['free'] }, 'primary', 'late'),
    rule({ budgetLeftUnder: 0.5 }, 'spare', 'short'),
    rule({ languages: ['ja'] }, 'spare', 'ja'),
  ]
  const pressed = { timeLeftMs: 1, budgetLeft: 0.01, lanesDown: ['economy'] }
  const asked = facts({ language: 'ja', now: pressed })
  assert.equal(chooseRoute(asked, sampleRouting({ rules })).rule, 'down')
  assert.equal(plannedRoute(asked, sampleRouting({ rules })).rule, 'ja')
  assert.deepEqual(
    plannedRoute(asked, sampleRouting({ rules })),
    plannedRoute({ ...asked, now: CALM }, sampleRouting({ rules })),
  )
})

const LADDER = ['primary', 'economy', 'spare']
const anyFacts: fc.Arbitrary<RouteFacts> = fc.record(
  {
    judged: fc
      .tuple(fc.constantFrom(...COMPLEXITIES), fc.double({ min: 0.34, max: 1, noNaN: true }))
      .map(([level, probability]) => sampleJudged(level, probability)),
    plain: fc.subarray([...PLAIN_QUESTIONS]),
    escalation: fc.constantFrom(...ESCALATIONS),
    userTier: fc.constantFrom('free', 'premium'),
    language: fc.constantFrom('ja', 'en'),
    path: fc.constantFrom('/', '/series/1'),
    now: fc.record({
      timeLeftMs: fc.integer({ min: -1000, max: 20_000 }),
      budgetLeft: fc.double({ min: 0, max: 1, noNaN: true }),
      lanesDown: fc.subarray(LADDER),
    }),
  },
  { requiredKeys: ['judged', 'plain', 'userTier', 'language', 'now'] },
)
const anyRule = fc.record({
  name: fc.constantFrom('one', 'two'),
  use: fc.constantFrom(...LADDER),
  when: fc.record(
    {
      userTiers: fc.constant(['premium']),
      budgetLeftUnder: fc.constant(0.5),
      lanesDown: fc.constant(['economy']),
      page: fc.constant('/series/*'),
    },
    { requiredKeys: [] },
  ),
})

test('for any facts and rules the explanation names the first, and the order is the ladder with it before the others', () => {
  const anySettings = fc
    .tuple(fc.array(anyRule), fc.subarray([...PLAIN_QUESTIONS]), fc.boolean())
    .map(([rules, withoutModel, escalate]) => sampleRouting({ rules, withoutModel, escalate }))
  fc.assert(
    fc.property(anyFacts, anySettings, (asked, settings) => {
      const { first, why } = chooseRoute(asked, settings)
      assert.ok(why.startsWith(`${first}: `))
      const order = askedInOrder(first, LADDER)
      assert.deepEqual(order.toSorted(), LADDER.toSorted())
      if (first !== 'embedded') assert.equal(order[0], first)
      assert.deepEqual(
        order.filter((name) => name !== first),
        LADDER.filter((name) => name !== first),
      )
      assert.deepEqual(chooseRoute(asked, settings), chooseRoute(structuredClone(asked), settings))
    }),
  )
})

test('the choice and the models above it are not below it', () => {
  assert.deepEqual(notBelow('economy', LADDER), ['primary', 'economy'])
  assert.deepEqual(notBelow('primary', LADDER), ['primary'])
  assert.deepEqual(notBelow('embedded', LADDER), LADDER)
})
