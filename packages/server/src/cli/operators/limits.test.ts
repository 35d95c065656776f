// `mangaassist limits` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { operatorTerminal } from '../testing/operator-terminal.ts'

const served = async (context: TestContext, role: 'viewer' | 'operator' = 'operator') =>
  (await operatorTerminal(context, 'limits', role)).run

test('the limits of a user are changed with an end, listed as they would be given, and restored', async (context) => {
  const run = await served(context)
  assert.match((await run()).out, /^No user has limits of their own\.$/m)
  const changed = await run(
    'guest_1',
    '--per-minute',
    '60',
    '--usd-per-day',
    '2.5',
    '--for',
    '2h',
    '--reason',
    'an event',
  )
  assert.match(changed.out, /^user-set: guest_1, by aki; line 1 of the audit$/m)
  assert.match((await run()).out, /^guest_1 +– +usd-per-day 2\.5, per-minute 60 +20\S+Z$/m)
  // Another change replaces the first.
  await run('guest_1', '--tier', 'premium', '--reason', 'a guest of honour')
  const { users } = JSON.parse((await run('--json')).out)
  assert.deepEqual([users[0].tier, users[0].limits, users[0].expiresAt], ['premium', undefined, undefined])
  assert.match((await run('remove', 'guest_1', '--reason', 'over')).out, /^user-cleared: guest_1/)
  assert.match((await run()).out, /^No user has limits of their own\.$/m)
})

test('the limits of a tier are changed and restored, and the day of a user is reset', async (context) => {
  const run = await served(context)
  const perMinute = async () => {
    const { tiers } = JSON.parse((await run('--json')).out)
    return tiers.find(({ tier }: { tier: string }) => tier === 'free').effective.requestsPerMinute
  }
  const configured = await perMinute()
  assert.match((await run('tier:free', '--per-minute', '3', '--reason', 'a storm')).out, /^tier-set: \S*free/)
  assert.equal(await perMinute(), 3)
  assert.match((await run()).out, /^free .* per-minute 3$/m)
  assert.match((await run('remove', 'tier:free', '--reason', 'over')).out, /^tier-cleared: \S*free/)
  assert.equal(await perMinute(), configured)
  assert.match((await run('reset', 'guest_1', '--reason', 'our mistake')).out, /^day-reset: guest_1/)
})

test('a viewer may look and not change', async (context) => {
  const run = await served(context, 'viewer')
  assert.equal((await run('list')).code, 0)
  assert.match((await run('guest_1', '--per-minute', '1', '--reason', 'x')).err, /this needs operator/)
})

test('a wrong command line is reported with 2 before the server is asked, a refusal with 1', async (context) => {
  const run = await served(context)
  const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['guest_1', '--per-minute', '5'], 2, /--reason WHY is missing/],
    [['guest_1', '--reason', 'x'], 2, /Give --tier, or a limit/],
    [['tier:free', '--reason', 'x'], 2, /Give a limit/],
    [['tier:free', '--tier', 'premium', '--reason', 'x'], 2, /for a user/],
    [['guest_1', '--per-minute', 'many', '--reason', 'x'], 2, /--per-minute needs a number above 0/],
    [['guest_1', '--per-minute', '5', '--for', 'soon', '--reason', 'x'], 2, /--for must be a time/],
    [['remove', '--reason', 'x'], 2, /remove needs a user or tier:NAME/],
    [['reset', 'tier:free', '--reason', 'x'], 2, /reset needs a user/],
    [['remove', 'guest_1', '--per-minute', '5', '--reason', 'x'], 2, /needs a user or tier:NAME to change/],
    [['list', '--reason', 'x'], 2, /--reason needs a change/],
    [['guest_1', 'guest_2', '--per-minute', '5', '--reason', 'x'], 2, /Unknown argument "guest_2"/],
    [['guest_1', '--output-per-answer', '99999', '--reason', 'x'], 1, /outputTokensPerRequest|2048/],
    [['tier:gold', '--per-minute', '5', '--reason', 'x'], 1, /gold|tier/],
  ]
  for (const [args, code, words] of wrong) {
    const result = await run(...args)
    assert.equal(result.code, code, args.join(' '))
    assert.match(result.err, words)
  }
})
