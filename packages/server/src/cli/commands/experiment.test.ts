// `mangaassist experiment` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sampleTurns } from '#fixtures/experiments/sample-experiments.ts'
import { operatorTerminal } from '../testing/operator-terminal.ts'

const served = (context: TestContext) => operatorTerminal(context, 'experiment')

test('an experiment is listed, started and stopped, each with its line in the audit', async (context) => {
  const { run } = await served(context)
  const listed = await run('list')
  assert.match(listed.out, /^short +configured +answers +0 % – 100 % +control 1, short 1 +thumbs-up +–$/m)
  const started = await run('start', 'short', '--reason', 'shorter may do')
  assert.deepEqual([started.code, started.out], [0, 'experiment-started: short, by aki; line 1 of the audit\n'])
  assert.match((await run('list')).out, /^short +running .* 20\d\d-/m)
  const again = await run('start', 'short', '--reason', 'twice')
  assert.equal(again.code, 1)
  assert.match(again.err, /INVALID_REQUEST .*runs already/)
  assert.equal((await run('stop', 'short', '--reason', 'enough')).code, 0)
  assert.match((await run('list')).out, /^short was stopped by aki at 20.*: enough$/m)
  const [json] = JSON.parse((await run('list', '--json')).out)
  assert.deepEqual([json.name, json.state, json.stopped.reason], ['short', 'stopped', 'enough'])
})

test('a report has the differences, their intervals and whether there is enough', async (context) => {
  const { doors, run } = await served(context)
  await run('start', 'short', '--reason', 'try')
  const lift = { thumbs: 2, cost: 0.6 }
  await doors.app.operators.turnRecords.add(sampleTurns(Date.now() + 1000, { count: 3000, lift }))
  const { code, out } = await run('report', 'short', '--effect', '10%')
  assert.equal(code, 0, out)
  assert.match(out, /^short: since 20.*, still running; [\d,]+ turns of 3,000 shoppers$/m)
  assert.match(out, /^\* thumbs-up +yes: higher, better +1\d\.\d\d % +\d\d\.\d\d % +\+1\d\.\d\d pp +\+\d/m)
  assert.match(out, /^ {2}cost +yes: lower, better +0\.00\d+ USD/m)
  assert.match(out, /^ {2}asked-again +not yet: 10 % needs [\d,]+ in each arm/m)
  assert.match(out, /^ {2}mismatches +not yet: it has not varied/m)
  assert.match(out, /^holdout against control: /m)
  assert.doesNotMatch(out, /MISMATCH/)
  const report = JSON.parse((await run('report', 'short', '--json')).out)
  assert.equal(report.effect, 0.05)
  assert.deepEqual(
    report.arms.map(({ arm }: { arm: string }) => arm),
    ['control', 'short', 'holdout'],
  )
})

test('a split that lost shoppers of an arm is reported first', async (context) => {
  const { doors, run } = await served(context)
  await run('start', 'short', '--reason', 'try')
  const turns = sampleTurns(Date.now() + 1000, { count: 1000 })
  const isShort = (unit: string | undefined) => Number(unit?.replace('shopper-', '')) % 2 === 0
  const kept = turns.filter(({ routing }) => routing?.exposures[0]?.arm !== 'short' || isShort(routing.unit))
  await doors.app.operators.turnRecords.add(kept)
  assert.match((await run('report', 'short')).out, /^SAMPLE RATIO MISMATCH: /m)
})

test('mistakes in the command are explained before a server is asked', async (context) => {
  const { run } = await served(context)
  for (const [args, words] of [
    [[], 'list, start, stop or report is missing.'],
    [['begin'], 'Unknown argument "begin".'],
    [['start'], 'NAME is missing.'],
    [['start', 'short'], '--reason WHY is missing.'],
    [['report', 'short', '--effect', 'large'], '--effect needs a size'],
    [['list', '--effect', '5%'], '--effect belongs to report.'],
  ] as const) {
    const { code, err } = await run(...args)
    assert.equal(code, 2, args.join(' '))
    assert.ok(err.startsWith(words), err)
  }
  assert.match((await run('report', 'other')).err, /NOT_FOUND/)
  assert.match((await run('report', 'short')).err, /was never started/)
})
