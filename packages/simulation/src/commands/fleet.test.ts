// `mangaassist fleet`: the same flags print the same bytes, and bad input is reported before anything runs.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { FleetRun } from '../fleet/fleet-run.ts'
import { readFleetScenario } from '../scenario/read-scenario.ts'
import { sampleRun } from '../../test/fixtures/fleet-runs.ts'
import { tempDir } from '@mangaassist/server/fixtures/stores/temp-dir'
import { reportBreaches } from './fleet/report-breaches.ts'
import { main } from '@mangaassist/server/cli/main'
import { fakeTerminal } from '@mangaassist/server/cli/testing/fake-terminal'

const SMALL = `
name: small
about: A few seconds without the first model.
nodes: 2
arrivals: { perSecond: 4 }
durationS: 10
faults: [{ kind: outage, atS: 3, forS: 3, target: primary }]
`

function written(context: TestContext, text: string): string {
  const path = join(tempDir(context), 'scenario.yaml')
  writeFileSync(path, text)
  return path
}

async function fleet(context: TestContext, ...args: readonly string[]) {
  const terminal = fakeTerminal(context)
  const code = await main(['fleet', ...args], terminal)
  return { code, ...terminal.printed }
}

test('a scenario file runs, and the same flags print and write the same bytes', async (context) => {
  const scenario = written(context, SMALL)
  const page = `${scenario}.html`
  const args = ['--scenario', scenario, '--seed', '7', '--policy', 'naive,ours', '--html', page]
  const first = await fleet(context, ...args)
  const firstPage = readFileSync(page, 'utf8')
  const again = await fleet(context, ...args)
  assert.equal(first.code, 0)
  assert.deepEqual(again, first)
  assert.equal(readFileSync(page, 'utf8'), firstPage)
  assert.match(first.out, /^small · policy naive\n2 nodes · seed 7 · [^]*small · policy ours\n[^]*small · 1 run each/)
  assert.match(first.err, /^small · naive: 10 of 10 virtual seconds\nsmall · ours: 10 of 10 virtual seconds\n$/)
  assert.match(firstPage, /^<!doctype html>[^]*<h2>small/)
})

test('a run gives the same result alone and after other runs, and its cost is that of its models', async (context) => {
  const scenario = written(context, SMALL)
  const runs = async (policy: string) => {
    const { out } = await fleet(context, '--scenario', scenario, '--policy', policy, '--json', '--seconds')
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as FleetRun)
  }
  const [, reference, ours] = await runs('ours,sdk,reference')
  assert.deepEqual(await runs('ours'), [ours])
  assert.deepEqual([reference?.policy, ours?.policy], ['reference', 'ours'])
  assert.equal(ours?.seconds.length, 10)
  assert.ok((ours?.figures.microUsd ?? 0) > 0)
  assert.ok((ours?.figures.amplification.peakOfArrivals ?? 0) >= 1)
})

test('--nodes and --set take precedence over the scenario', async (context) => {
  const scenario = written(context, SMALL)
  const args = ['--scenario', scenario, '--json', '--nodes', '1']
  const usual = await fleet(context, ...args)
  const set = await fleet(context, ...args, '--set', 'ladder=["economy"]', '--set', 'deadlines.firstTokenMs=3000')
  const [one, other] = [usual, set].map(({ out }) => JSON.parse(out) as Partial<FleetRun>)
  assert.deepEqual([one?.nodes, one?.seconds], [1, undefined])
  assert.notEqual(one?.traceHash, other?.traceHash)
})

test('the example in docs/simulation.md is a valid scenario', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/simulation.md'), 'utf8')
  const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
  const { faults, name } = readFleetScenario(example, 'docs/simulation.md')
  assert.deepEqual([name, faults.length], ['tuesday', 2])
})

test('--list prints each bundled scenario with its description', async (context) => {
  const { code, out } = await fleet(context, '--list')
  assert.equal(code, 0)
  assert.match(out, /^throttle {9}For two minutes .*\n {17}50 nodes, 25 arrivals\/s, 195 s$/m)
})

test('every problem of a scenario, a setting or a flag is reported', async (context) => {
  const wrong = written(context, SMALL.replace('outage', 'outtage').replace('nodes: 2', 'nodes: 0'))
  for (const [args, code, message] of [
    [['--scenario', wrong], 1, /2 problems[^]*nodes[^]*Did you mean outage\?/],
    [['--scenario', 'throtle'], 1, /Did you mean throttle\?/],
    [['--set', 'lanes.open.maxMS=4000'], 1, /Did you mean lanes\.open\.maxMs\?/],
    [['--set', 'lanes.open.maxMs=soon'], 1, /given: +"soon"/],
    [['--set', 'lanes'], 2, /--set takes path=value/],
    [['--policy', 'our'], 2, /Did you mean ours\?/],
    [['--nodes', '0'], 2, /--nodes takes a whole number from 1/],
    [['--seed', 'x'], 2, /--seed takes a whole number/],
  ] as const) {
    const printed = await fleet(context, ...args)
    assert.equal(printed.code, code, args.join(' '))
    assert.match(printed.err, message)
    assert.equal(printed.out, '')
    assert.doesNotMatch(printed.err, /\bat .*\.ts/)
  }
})

test('a run that broke an invariant is reported with its timeline and exits with 1', (context) => {
  const terminal = fakeTerminal(context)
  const broken = sampleRun({ breaches: ['61000 ms: turn_7: a gap'], seed: 9 })
  assert.equal(reportBreaches(terminal, [sampleRun()]), 0)
  assert.equal(terminal.printed.err, '')
  assert.equal(reportBreaches(terminal, [sampleRun(), broken]), 1)
  assert.match(terminal.printed.err, /^1 broken invariant: throttle, ours, seed 9, 50 nodes\n[^]*a gap\n[^]*60000 ms: /)
})
