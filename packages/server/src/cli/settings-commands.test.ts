// `mangaassist mode` and `mangaassist settings` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from './main.ts'
import { fakeTerminal } from './testing/fake-terminal.ts'

const TOKEN = 'maa_cli'

async function served(context: TestContext, role: 'viewer' | 'operator' = 'operator') {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN), role }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { port } = new URL(await doors.listen())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, PORT: port } })
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(args, terminal)
    return { code, ...terminal.printed }
  }
  return { doors, run }
}

test('the mode is shown, and changed with a reason and an end', async (context) => {
  const { doors, run } = await served(context)
  assert.match((await run('mode')).out, /^mode +normal +normal/m)
  const changed = await run('mode', 'reduced', '--reason', 'the bill', '--for', '2h')
  assert.match(changed.out, /^setting-set: mode, by aki, until 20\S+Z; line 1 of the audit$/m)
  assert.equal(doors.app.admin.mode(), 'reduced')
  assert.match((await run('mode')).out, /^mode +reduced +normal +by aki at 20\S+ until 20\S+: the bill$/m)
  const json = JSON.parse((await run('mode', '--json')).out)
  assert.deepEqual([json.value, json.configured, json.changed.reason], ['reduced', 'normal', 'the bill'])
  assert.match((await run('mode', 'normal', '--reason', 'paid')).out, /^setting-cleared: mode/)
  assert.equal(doors.app.admin.mode(), 'normal')
})

test('settings are shown, changed, and returned to the configuration', async (context) => {
  const { run } = await served(context)
  assert.match((await run('settings')).out, /^answer-cache +on +on/m)
  assert.equal((await run('settings', 'answer-cache', 'off', '--reason', 'wrong prices')).code, 0)
  assert.match((await run('settings')).out, /^answer-cache +off +on +by aki/m)
  assert.equal((await run('settings', 'answer-cache', 'default', '--reason', 'right again')).code, 0)
  assert.equal((await run('settings', 'log-level', 'debug', '--reason', 'a riddle', '--for', '30m')).code, 0)
  const shown = JSON.parse((await run('settings', '--json')).out) as { name: string; value: unknown }[]
  assert.equal(shown.find(({ name }) => name === 'log-level')?.value, 'debug')
})

test('a viewer may look and not change, and the refusal names the role that is needed', async (context) => {
  const { run } = await served(context, 'viewer')
  assert.equal((await run('mode')).code, 0)
  const refused = await run('mode', 'maintenance', '--reason', 'curious')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /has the role viewer; this needs operator/)
})

test('a wrong command line is reported with 2 before the server is asked, a refusal with 1', async (context) => {
  const { run } = await served(context)
  const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['mode', 'closed', '--reason', 'x'], 2, /must be one of normal, reduced/],
    [['mode', 'reduced'], 2, /--reason WHY is missing/],
    [['mode', 'reduced', '--reason', ' '], 2, /--reason WHY is missing/],
    [['mode', '--reason', 'x'], 2, /need a value/],
    [['mode', 'reduced', '--reason', 'x', '--for', 'long'], 2, /--for must be a time/],
    [['mode', 'normal', '--reason', 'x', '--for', '2h'], 2, /--for is for the other modes/],
    [['mode', 'reduced', 'now', '--reason', 'x'], 2, /Unknown argument "now"/],
    [['settings', 'log-level', '--reason', 'x'], 2, /VALUE is missing/],
    [['settings', 'shoes', 'on', '--reason', 'x'], 1, /INVALID_REQUEST/],
    [['settings', 'log-level', 'loud', '--reason', 'x'], 1, /must be one of debug/],
  ]
  for (const [args, code, said] of wrong) {
    const answer = await run(...args)
    assert.equal(answer.code, code, args.join(' '))
    assert.match(answer.err, said)
  }
})
