// `mangaassist alarms` with a real server, and its exports without one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { parse } from 'yaml'
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const TOKEN = 'maa_cli'

async function served(context: TestContext) {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { port } = new URL(await doors.listen())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, PORT: port } })
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(['alarms', ...args], terminal)
    return { code, ...terminal.printed }
  }
  return { doors, run, board: doors.app.operators.alarmBoard }
}

const incident = {
  id: 'lane-down',
  since: 60_000,
  seenAt: 60_000,
  series: [{ labels: { lane: 'primary' }, value: 61.2, hosts: ['node-1', 'node-2'] }],
  more: 1,
  notifiedAt: 70_000,
}

test('alarms that fire are printed with figures and runbook, and end with code 1', async (context) => {
  const { board, run } = await served(context)
  const quiet = await run()
  assert.deepEqual([quiet.code, quiet.out], [0, 'No alarm fires.\n\nNotified: memory (webhook).\n'])
  await board.write({ ...NO_ALARM_STATE, incidents: [incident] }, 0)
  const { code, out } = await run()
  assert.equal(code, 1)
  assert.match(out, /^PAGE lane-down: A model or dependency refuses calls, since 1970-01-01T00:01:00\.000Z$/m)
  assert.match(out, /^ {2}lane=primary 61\.2 s \(threshold 60 s\), on node-1, node-2$/m)
  assert.match(out, /^ {2}docs\/runbooks\/lane-down\.md$/m)
  assert.equal(JSON.parse((await run('--json')).out).firing[0].id, 'lane-down')
  assert.match((await run('--all')).out, /^server-errors \[page\] .*\n {2}sum \(increase/m)
})

test('an alarm is silenced for a time, and the silence ended', async (context) => {
  const { board, run } = await served(context)
  const { code, out } = await run('silence', 'lane-down', '--for', '2h', '--reason', 'known')
  assert.deepEqual([code, out], [0, 'alarm-silenced: lane-down for 2 h, by aki; line 1 of the audit\n'])
  assert.equal((await board.read()).state.silences['lane-down']?.reason, 'known')
  assert.equal((await run('unsilence', 'lane-down', '--reason', 'over')).code, 0)
  assert.deepEqual((await board.read()).state.silences, {})
})

test('the senders are tested', async (context) => {
  const { run } = await served(context)
  assert.deepEqual(await run('test', '--reason', 'new'), { code: 0, out: 'memory (webhook): delivered\n', err: '' })
})

test('the exports need no server', async (context) => {
  const terminal = fakeTerminal(context)
  const print = async (...flags: readonly string[]) => {
    terminal.printed.out = ''
    assert.equal(await main(['alarms', ...flags], terminal), 0)
    return terminal.printed.out
  }
  assert.ok((parse(await print('--prometheus')) as { groups: unknown[] }).groups.length > 3)
  assert.ok('Resources' in JSON.parse(await print('--cloudwatch')))
  assert.equal(JSON.parse(await print('--grafana', 'models')).uid, 'mangaassist-models')
})

test('mistakes are explained before a server is asked', async (context) => {
  const terminal = fakeTerminal(context)
  const mistakes = [
    ['silence', '--for', '2h', '--reason', 'x'],
    ['silence', 'lane-down', '--for', '2h'],
    ['silence', 'lane-down', '--reason', 'x'],
    ['silence', 'lane-down', '--for', '2 hours', '--reason', 'x'],
    ['silence', 'lane-down', '--for', '8d', '--reason', 'x'],
    ['silence', 'lane-down', 'more', '--for', '1h', '--reason', 'x'],
    ['shout', '--reason', 'x'],
    ['test'],
    ['--reason', 'x'],
    ['--prometheus', '--cloudwatch'],
    ['--grafana', 'cats'],
    ['test', '--reason', 'x', '--prometheus'],
  ]
  for (const args of mistakes) assert.equal(await main(['alarms', ...args], terminal), 2, args.join(' '))
})
