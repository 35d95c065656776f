// `mangaassist block` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { operatorTerminal } from '../testing/operator-terminal.ts'

const served = async (context: TestContext, role: 'viewer' | 'operator' = 'operator') =>
  (await operatorTerminal(context, 'block', role)).run

test('callers are blocked with a reason and an end, listed, and unblocked', async (context) => {
  const run = await served(context)
  assert.equal((await run()).out, 'Nobody is blocked.\n')
  assert.match(
    (await run('user:shop:42', '--reason', 'spam')).out,
    /^blocked: user:shop:42, by aki; line 1 of the audit$/m,
  )
  assert.match((await run('203.0.113.9/24', '--reason', 'a flood', '--for', '2h')).out, /^blocked: 203\.0\.113\.0\/24/m)
  const listed = await run('list')
  assert.match(listed.out, /^user:shop:42 +user +20\S+Z +– +aki +spam$/m)
  assert.match(listed.out, /^203\.0\.113\.0\/24 +network +20\S+Z +20\S+Z +aki +a flood$/m)
  const [newest] = JSON.parse((await run('--json')).out)
  assert.deepEqual([newest.target, newest.kind, newest.reason], ['203.0.113.0/24', 'network', 'a flood'])
  assert.match((await run('remove', 'user:shop:42', '--reason', 'it was his son')).out, /^unblocked: user:shop:42/)
  assert.doesNotMatch((await run()).out, /user:shop:42/)
})

test('an operator does not block the server itself by accident, and can remove what was forced', async (context) => {
  const run = await served(context)
  const refused = await run('127.0.0.1', '--reason', 'a slip')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /this machine itself/)
  assert.equal((await run('0.0.0.0/0', '--reason', 'a drill', '--force')).code, 0)
  assert.equal((await run('remove', '0.0.0.0/0', '--reason', 'over')).code, 0)
})

test('a viewer may look and not change', async (context) => {
  const run = await served(context, 'viewer')
  assert.equal((await run()).code, 0)
  assert.match((await run('guest_1', '--reason', 'x')).err, /has the role viewer; this needs operator/)
})

test('a wrong command line is reported with 2 before the server is asked, a refusal with 1', async (context) => {
  const run = await served(context)
  const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['guest_1'], 2, /--reason WHY is missing/],
    [['guest_1', '--reason', ' '], 2, /--reason WHY is missing/],
    [['guest_1', 'guest_2', '--reason', 'x'], 2, /Unknown argument "guest_2"/],
    [['guest_1', '--reason', 'x', '--for', 'long'], 2, /--for must be a time/],
    [['list', '--reason', 'x'], 2, /--reason needs a target/],
    [['remove', '--reason', 'x'], 2, /TARGET is missing/],
    [['remove', 'guest_1', '--reason', 'x', '--for', '2h'], 2, /need a target to block/],
    [['remove', 'guest_1', '--reason', 'x'], 1, /is not blocked/],
    [['taro', '--reason', 'x'], 1, /must be user:ISSUER:ID/],
    [['1.2.3.4/33', '--reason', 'x'], 1, /must be user:ISSUER:ID/],
  ]
  for (const [args, code, said] of wrong) {
    const answer = await run(...args)
    assert.equal(answer.code, code, args.join(' '))
    assert.match(answer.err, said)
  }
})
