// Scenario files: defaults for omitted fields, and the errors for invalid files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FleetScenarioError, readFleetScenario } from './read-scenario.ts'

const SMALL = `
name: small
about: A small one.
nodes: 3
arrivals: { perSecond: 20 }
durationS: 60
`

function problemsOf(text: string): Record<string, string> {
  try {
    readFleetScenario(text, 'mine.yaml')
  } catch (error) {
    assert.ok(error instanceof FleetScenarioError)
    return Object.fromEntries(error.problems.map(({ path, given, allowed }) => [path, `${given} | ${allowed}`]))
  }
  return {}
}

test('defaults come from the arrival rate: a primary model with 25 % headroom, and an economy model for half', () => {
  const scenario = readFleetScenario(SMALL, 'mine.yaml')
  const [primary, economy] = scenario.ladder
  assert.deepEqual([primary?.name, economy?.name, scenario.ladder.length], ['primary', 'economy', 2])
  assert.equal(primary?.model, 'anthropic.claude-3-sonnet-20240229-v1:0')
  assert.deepEqual([primary.size.callsPerSecond, economy?.size.callsPerSecond], [25, 10])
  assert.deepEqual([primary.size.slots, primary.size.tokensPerMinute], [undefined, undefined])
  assert.equal(scenario.people.patienceMs, 4000)
  assert.equal(scenario.people.resubmitShare, 0.5)
  assert.deepEqual([scenario.faults, scenario.settings, scenario.arrivals.shape], [[], {}, []])
})

test('given values replace the defaults', () => {
  const scenario = readFleetScenario(
    `${SMALL}
ladder:
  big: { model: some-model, slots: 7, tokensPerMinute: 1000, firstTokenMs: 200, tokensPerSecond: [50, 50] }
  spare: { callsPerSecond: 1 }
people: { resubmitShare: 0, stopShare: 0.5 }
settings: { deadlines.firstTokenMs: 5000 }
faults:
  - { kind: outage, atS: 10, untilS: 20, target: spare }
`,
    'mine.yaml',
  )
  assert.deepEqual(scenario.ladder[0], {
    name: 'big',
    model: 'some-model',
    size: { callsPerSecond: 25, slots: 7, tokensPerMinute: 1000, firstTokenMs: 200, tokensPerSecond: [50, 50] },
    habits: {},
  })
  assert.deepEqual([scenario.ladder[1]?.model, scenario.ladder[1]?.size.callsPerSecond], ['spare', 1])
  assert.deepEqual([scenario.people.resubmitShare, scenario.people.stopShare], [0, 0.5])
  assert.deepEqual(scenario.settings, { 'deadlines.firstTokenMs': 5000 })
  assert.equal(scenario.faults.length, 1)
})

test('a quota that does not forget has figures of its own, of which each can be given', () => {
  const ladder = `ladder:
  forgetful: {}
  by-minute: { quota: {} }
  kind: { quota: { refusedShare: 0, retryAfterShare: 0.5 } }
  steady: { quota: { grant: steady } }
`
  const { ladder: models } = readFleetScenario(SMALL + ladder, 'mine.yaml')
  assert.deepEqual(
    models.map(({ habits }) => habits),
    [
      {},
      { quotaGrant: 'minute', quotaRefusedShare: 1, retryAfterShare: 0 },
      { quotaGrant: 'minute', quotaRefusedShare: 0, retryAfterShare: 0.5 },
      { quotaGrant: 'steady', quotaRefusedShare: 1, retryAfterShare: 0 },
    ],
  )
})

test('the error for a wrong quota names the allowed values and the nearest name', () => {
  const quota = 'ladder: { primary: { quota: { grant: minutes, refusedShare: 1.5, refuseShare: 1 } } }'
  assert.deepEqual(problemsOf(SMALL + quota), {
    'ladder.primary.quota.grant': '"minutes" | one of "minute", "steady"',
    'ladder.primary.quota.refusedShare': '1.5 | a number from 0 to 1',
    'ladder.primary.quota.refuseShare': 'a name that does not exist here | grant, refusedShare, retryAfterShare',
  })
  assert.throws(
    () => readFleetScenario(SMALL + quota, 'mine.yaml'),
    /Did you mean "minute"\?[^]*Did you mean ladder\.primary\.quota\.refusedShare\?/,
  )
  assert.deepEqual(problemsOf(`${SMALL}ladder: { primary: { quota: minute } }`), {
    'ladder.primary.quota': '"minute" | an object with grant, refusedShare, retryAfterShare',
  })
})

test('all schema violations are reported at once, each with its path and the allowed values', () => {
  const problems = problemsOf(`
name: Not a name
about: ''
nodes: 0
arrivals: { perSecond: fast, shap: [] }
people: { patienceMs: 1.5 }
faults:
  - { kind: trottle, atS: 1 }
  - { kind: errors, atS: 1, forS: 1, share: 2, colour: red }
  - broken
`)
  assert.deepEqual(
    Object.keys(problems).toSorted((a, b) => (a < b ? -1 : 1)),
    [
      'arrivals.perSecond',
      'arrivals.shap',
      'durationS',
      'faults[0].kind',
      'faults[1].colour',
      'faults[1].share',
      'faults[2]',
      'name',
      'nodes',
      'about',
      'people.patienceMs',
    ].toSorted((a, b) => (a < b ? -1 : 1)),
  )
  assert.match(problems['faults[0].kind'] ?? '', /"trottle" \| one of throttle, outage/)
  assert.equal(problems['faults[1].share'], '2 | a number from 0 to 1')
  assert.match(problems['durationS'] ?? '', /^nothing \| a whole number from 1 to/)
})

test('the message names the file and every problem with its fix', () => {
  assert.throws(() => readFleetScenario(`${SMALL}faults: [{ kind: outtage, atS: 1, forS: 2 }]`, 'mine.yaml'), {
    name: 'FleetScenarioError',
    message:
      /^The scenario mine\.yaml has a problem:\n {2}faults\[0\]\.kind\n.*"outtage"\n.*\n.*Did you mean outage\?$/,
  })
})

test('relations between fields are checked', () => {
  const problems = problemsOf(`
name: wrong
about: Wrong.
nodes: 3
arrivals: { perSecond: 20, shape: [{ atS: 10, factor: 2 }, { atS: 5, factor: 1 }] }
durationS: 60
ladder: { primary: { tokensPerSecond: [80, 40] } }
faults:
  - { kind: outage, atS: 10 }
  - { kind: outage, atS: 10, forS: 10, untilS: 20 }
  - { kind: outage, atS: 10, untilS: 10 }
  - { kind: outage, atS: 10, forS: 0 }
  - { kind: outage, atS: 50, forS: 11 }
  - { kind: outage, atS: 10, forS: 10, target: primar }
  - { kind: node-crash, atS: 10, count: 4 }
`)
  assert.deepEqual(problems, {
    'arrivals.shape[1].atS': '5 | later than 10',
    'ladder.primary.tokensPerSecond': '80, 40 | the slowest, then the fastest',
    'faults[0]': 'neither forS nor untilS | forS or untilS, one of the two',
    'faults[1]': 'both forS and untilS | forS or untilS, one of the two',
    'faults[2].untilS': '10 | later than atS, 10',
    'faults[3].forS': '0 | a number greater than 0',
    'faults[4]': 'an end at 61 s | an end within durationS, 60',
    'faults[5].target': '"primar" | one of primary, all',
    'faults[6].count': '4 | at most nodes, 3',
  })
})

test('text that is not YAML or not a scenario is reported like any other problem', () => {
  assert.match(problemsOf('a: [')['mine.yaml'] ?? '', /\| a scenario in YAML$/)
  assert.match(problemsOf('- 1')[''] ?? '', /^\[1\] \| an object with name, about/)
  assert.ok('name' in problemsOf(''))
})
