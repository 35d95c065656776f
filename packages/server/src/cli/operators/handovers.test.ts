// `mangaassist handovers` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { sampleHandover } from '#stores/handover-requests.contract.ts'
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
    const code = await main(['handovers', ...args], terminal)
    return { code, ...terminal.printed }
  }
  return { run, requests: doors.app.operators.handovers }
}

test('requests are listed, taken by one and closed, and the audit line is printed', async (context) => {
  const { requests, run } = await served(context)
  assert.deepEqual(await run(), { code: 0, out: 'No open requests.\n', err: '' })
  await requests.add(sampleHandover({ orderNumber: '48213', note: 'まだ\n届きません' }))
  const open = await run()
  assert.match(open.out, /^hand_1 {2}open$/m)
  assert.match(open.out, /^ {2}order +48213$/m)
  assert.match(open.out, /^ {2}note +まだ 届きません$/m)
  const taken = await run('take', 'hand_1', '--reason', 'I call them')
  assert.deepEqual([taken.code, taken.out], [0, 'handover-taken: hand_1, by aki; line 1 of the audit\n'])
  const again = await run('take', 'hand_1', '--reason', 'me too')
  assert.deepEqual([again.code, again.out], [1, ''])
  const closed = JSON.parse((await run('close', 'hand_1', '--reason', 'sent again', '--json')).out)
  assert.deepEqual([closed.action, closed.before, closed.after], ['handover-closed', 'taken', 'closed'])
  const [listed] = JSON.parse((await run('--state', 'all', '--json')).out)
  assert.deepEqual([listed.state, listed.changedBy, listed.reason], ['closed', 'aki', 'sent again'])
})

test('mistakes in the command are reported before the server is asked', async (context) => {
  const { run } = await served(context)
  for (const args of [['take'], ['take', 'x'], ['open', 'x'], ['--state', 'new'], ['--limit', '0'], ['--reason', 'x']])
    assert.equal((await run(...args)).code, 2, args.join(' '))
})
