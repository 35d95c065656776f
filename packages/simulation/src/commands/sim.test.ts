// `mangaassist sim`: starts, reports each attempt, and stops on a signal.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { tempDir } from '@mangaassist/server/fixtures/stores/temp-dir'
import { main } from '@mangaassist/server/cli/main'
import { fakeTerminal } from '@mangaassist/server/cli/testing/fake-terminal'

async function ask(url: string): Promise<number> {
  const messages = [{ role: 'user', content: 'hi' }]
  const body = JSON.stringify({ model: 'm', messages })
  const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })
  await answer.text()
  return answer.status
}

/** Asks twice as soon as the address is printed, then sends a signal. */
async function runAndAsk(context: TestContext, args: readonly string[]) {
  const terminal = fakeTerminal(context)
  const statuses = Promise.withResolvers<readonly number[]>()
  terminal.onOutput = (text) => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
    if (url === undefined) return
    terminal.onOutput = () => {}
    const asking = ask(url).then(async (first) => [first, await ask(url)])
    asking.then(statuses.resolve, statuses.reject).finally(() => terminal.signal())
  }
  const code = await main(['sim', '--port', '0', ...args], terminal)
  return { code, statuses: await statuses.promise, printed: terminal.printed }
}

function scenario(context: TestContext, text: string): string {
  const path = join(tempDir(context), 'scenario.yaml')
  writeFileSync(path, text)
  return path
}

const THROTTLED_ONCE =
  'pace: { firstTokenMs: 0, tokensPerSecond: 0 }\nfaults: [{ fault: error, error: throttled, times: 1 }]'

test('it prints its address when ready, and every attempt with its outcome', async (context) => {
  const { code, printed, statuses } = await runAndAsk(context, ['--scenario', scenario(context, THROTTLED_ONCE)])
  assert.equal(code, 0)
  assert.deepEqual(statuses, [429, 200])
  assert.match(printed.out, /^The simulator is ready at http:\/\/127\.0\.0\.1:\d+ .*\/v1\)\n/)
  assert.match(
    printed.out,
    /#1 chat m: 429 refused \(error\), 4 tokens in, 0 out, \d+ ms\n#2 chat m: 200 answered, 4 tokens in/,
  )
})

test('with --json every line is JSON', async (context) => {
  const { printed } = await runAndAsk(context, ['--json', '--seed=3', '--scenario', scenario(context, THROTTLED_ONCE)])
  const [ready, first] = printed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.equal(ready?.ready, true)
  assert.partialDeepStrictEqual(first, { attempt: { number: 1, status: 429, outcome: 'refused' } })
})

test('a bad or missing scenario and a flag that is not a number are reported', async (context) => {
  const wrong = scenario(context, 'faults: [{ fault: cutt }]')
  for (const [args, code, message] of [
    [['--scenario', wrong], 1, /Did you mean cut\?/],
    [['--scenario', `${wrong}.not`], 1, /cannot be read/],
    [['--port', 'http'], 2, /--port takes a whole number/],
    [['--seed=-1'], 2, /--seed takes a whole number/],
  ] as const) {
    const terminal = fakeTerminal(context)
    assert.equal(await main(['sim', ...args], terminal), code)
    assert.match(terminal.printed.err, message)
    assert.doesNotMatch(terminal.printed.err, /\bat .*\.ts/)
  }
})
