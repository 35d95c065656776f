// `mangaassist search-engine`: starts, answers, fails on request, and stops on a signal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { main } from '@mangaassist/server/cli/main'
import { fakeTerminal } from '@mangaassist/server/cli/testing/fake-terminal'

test('the stand-in is a process that answers, fails on request, and stops on a signal', async (context) => {
  const terminal = fakeTerminal(context)
  const statuses = Promise.withResolvers<readonly number[]>()
  terminal.onOutput = (text) => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
    if (url === undefined) return
    const asking = async () => {
      const first = await fetch(url)
      await fetch(`${url}/_sim/faults`, { method: 'POST', body: '{"kind":"status","status":503,"times":1}' })
      return [first.status, (await fetch(url)).status, (await fetch(url)).status]
    }
    asking()
      .then(statuses.resolve, statuses.reject)
      .finally(() => terminal.signal())
  }
  assert.equal(await main(['search-engine', '--port', '0', '--json'], terminal), 0)
  assert.deepEqual(await statuses.promise, [200, 503, 200])
})
