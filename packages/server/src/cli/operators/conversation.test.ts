// `mangaassist conversation` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const TOKEN = 'maa_cli'

async function served(context: TestContext, role: 'viewer' | 'operator' = 'operator') {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN), role }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { admin, sessions } = doors.app.operators
  const at = Date.now()
  await sessions.create({
    id: 'sess_1',
    principalId: 'user:shop:42',
    title: '秘密の質問',
    createdAt: at,
    lastActiveAt: at,
  })
  await sessions.append('sess_1', 0, sampleStoredTurn({ question: '秘密の質問', answer: 'は\u001B[2Jい', at }))
  const { port } = new URL(await doors.listen())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, PORT: port } })
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(['conversation', ...args], terminal)
    return { code, ...terminal.printed }
  }
  const reads = async () =>
    (await admin.audit({ limit: 10, subject: 'sess_1' })).map(({ action, by, reason }) => [action, by, reason])
  return { run, reads }
}

test('a conversation is read with a reason, which is in the audit, and cannot control the terminal', async (context) => {
  const { reads, run } = await served(context)
  const { code, out } = await run('sess_1', '--reason', 'a complaint')
  assert.equal(code, 0)
  assert.match(out, /^sess_1 of user:shop:42, since 20/)
  assert.match(out, /Q: 秘密の質問\n {2}A: は\[2Jい/)
  assert.deepEqual(await reads(), [['transcript-read', 'aki', 'a complaint']])
  const json = JSON.parse((await run('sess_1', '--reason', 'again', '--json')).out)
  assert.deepEqual([json.userId, json.expired, json.turns.length], ['user:shop:42', false, 1])
})

test('the conversations of a person are listed without a word of them, for viewers too', async (context) => {
  const { reads, run } = await served(context, 'viewer')
  const { out } = await run('--user', 'user:shop:42')
  assert.match(out, /^sess_1 +20\S+ +20\S+ +1$/m)
  assert.doesNotMatch(out + (await run('--user', 'user:shop:42', '--json')).out, /秘密/)
  assert.equal((await run('--user', 'guest_none')).out, 'No conversations are stored.\n')
  assert.match((await run('sess_1', '--reason', 'curious')).err, /has the role viewer; this needs operator/)
  assert.deepEqual(await reads(), [])
})

test('a wrong command line is reported with 2 before the server is asked, a refusal with 1', async (context) => {
  const { reads, run } = await served(context)
  const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
    [[], 2, /ID is missing/],
    [['sess_1'], 2, /--reason WHY is missing/],
    [['sess_1', '--reason', ' '], 2, /--reason WHY is missing/],
    [['sess_1', 'sess_2', '--reason', 'x'], 2, /Unknown argument "sess_2"/],
    [['sess_1', '--user', 'guest_1'], 2, /takes no ID/],
    [['--user', 'guest_1', '--reason', 'x'], 2, /for reading one conversation/],
    [['--user', ''], 2, /needs the id/],
    [['sess_none', '--reason', 'x'], 1, /NOT_FOUND/],
  ]
  for (const [args, code, said] of wrong) {
    const answer = await run(...args)
    assert.equal(answer.code, code, args.join(' '))
    assert.match(answer.err, said)
  }
  assert.deepEqual(await reads(), [])
})
