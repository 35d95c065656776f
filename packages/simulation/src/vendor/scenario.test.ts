// Scenario files and the control api: accepted input and error messages. docs/simulator.md documents every fault.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { Attempt } from './attempts.ts'
import { faultSchemas } from './faults.ts'
import { readScenario, ScenarioError } from './scenario.ts'
import { simulatorFor } from './testing/clients.ts'
import { listener } from './testing/listeners.ts'
import { vendorErrors } from './vendor-errors.ts'

const guide = readFileSync(resolve(import.meta.dirname, '../../../../docs/simulator.md'), 'utf8')

function problemsIn(text: string): readonly string[] {
  try {
    readScenario(text)
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems
    throw error
  }
}

test('a scenario is YAML or JSON', () => {
  const scenario = {
    seed: 7,
    pace: { firstTokenMs: 5 },
    identicalText: 'x',
    faults: [{ fault: 'error', error: 'throttled', times: 2 }],
  }
  assert.deepEqual(readScenario(JSON.stringify(scenario)), scenario)
  const yaml =
    'seed: 7\npace: { firstTokenMs: 5 }\nidenticalText: x\nfaults:\n  - { fault: error, error: throttled, times: 2 }'
  assert.deepEqual(readScenario(yaml), scenario)
  assert.deepEqual(readScenario(''), { faults: [] })
})

test('all problems are reported at once, each with its path', () => {
  const problems = problemsIn(
    'pase: 1\nseed: x\nfaults:\n  - { fault: cutt }\n  - { fault: error, error: nope }\n  - { fault: stall, afterTokens: -1, foo: 1 }',
  ).join('\n')
  for (const pattern of [
    /scenario: .*pase/,
    /^seed: .*integer/m,
    /faults\[0\]\.fault: "cutt" .*Did you mean cut\?/,
    /faults\[1\]\.error: .*throttled, quota-exhausted/,
    /faults\[2\]: .*foo/,
    /faults\[2\]\.afterTokens: .*>= 0/,
  ])
    assert.match(problems, pattern)
  assert.match(
    problemsIn('answers: [{ when: "(", text: x }, { wen: y }]').join('\n'),
    /answers\.1: [^]*answers\[0\]\.when: Invalid/,
  )
  assert.equal(problemsIn('faults: [').length, 1)
  assert.match(problemsIn('faults: 5')[0] ?? '', /faults: must be array/)
  assert.match(problemsIn('[]')[0] ?? '', /scenario: must be object/)
})

test('the guide names every fault and every error, and its examples are valid scenarios', () => {
  for (const name of [...Object.keys(faultSchemas), ...Object.keys(vendorErrors)])
    assert.ok(guide.includes(`\`${name}\``), name)
  for (const [, name = ''] of guide.matchAll(/^\| `([a-z-]+)` \|/gm))
    assert.ok(name in faultSchemas || name in vendorErrors, `${name} is not there`)
  const examples = [...guide.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text)
  assert.ok(examples.length > 0)
  for (const example of examples) assert.deepEqual(problemsIn(example), [])
})

test('the control api sets, lists and removes faults, and lists the attempts', async (context) => {
  const simulator = await simulatorFor(context, { faults: [{ fault: 'malformed' }] })
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${simulator.url}/_sim/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: answer.status,
      ...((await answer.json()) as { faults?: unknown; problems?: string[]; attempts?: Attempt[] }),
    }
  }
  const ask = listener(context, simulator, 'invoke-stream')

  assert.deepEqual((await send('DELETE', 'faults')).faults, [])
  const fault = { fault: 'error', error: 'unavailable', times: 1 }
  assert.deepEqual((await send('POST', 'faults', fault)).faults, [{ fault, hits: 0 }])
  assert.deepEqual((await send('POST', 'faults', [{ fault: 'stall', skip: 1 }])).status, 200)
  assert.equal((await ask()).error?.status, 503)
  assert.deepEqual((await send('GET', 'faults')).faults, [{ fault: { fault: 'stall', skip: 1 }, hits: 0 }])
  const { attempts } = await send('GET', 'attempts')
  assert.deepEqual(
    attempts?.map(({ number, outcome, status }) => [number, outcome, status]),
    [[1, 'refused', 503]],
  )

  const wrong = await send('POST', 'faults', { fault: 'silense' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.problems?.[0] ?? '', /Did you mean silence/)
  assert.equal((await send('POST', 'nothing')).status, 400)

  assert.deepEqual((await send('POST', 'reset')).faults, [{ fault: { fault: 'malformed' }, hits: 0 }])
  assert.deepEqual((await send('GET', 'attempts')).attempts, [])
})

test('the same seed gives the same answers and faults, also after a reset', async (context) => {
  const run = async (seed: number) => {
    const simulator = await simulatorFor(context, {
      seed,
      faults: [{ fault: 'error', error: 'internal', chance: 0.5 }],
    })
    const ask = listener(context, simulator, 'chat-stream')
    const askTwelveTimes = async () => {
      const texts: string[] = []
      for (let count = 0; count < 12; count += 1) texts.push((await ask()).text)
      return texts
    }
    const first = await askTwelveTimes()
    simulator.reset()
    assert.deepEqual(await askTwelveTimes(), first)
    return first
  }
  const [one, again, other] = [await run(1), await run(1), await run(2)]
  assert.deepEqual(one, again)
  assert.notDeepEqual(one, other)
  assert.ok(new Set(one).size > 2)
})
