// `setup`, `doctor` and `search` with OpenSearch chosen: what is missing is said with its fix, made, and then used.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearchEngine } from '@mangaassist/simulation/search-engine/start-search-engine'
import { systemClock } from '#adapters/system/clock.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

test('doctor says what OpenSearch lacks, and setup makes it', async (context) => {
  await using standIn = await startSearchEngine({ clock: systemClock() })
  const env = { MANGA_STORES__SEARCH: 'opensearch', MANGA_OPENSEARCH__NODE: standIn.url }
  const run = async (...args: string[]) => {
    const terminal = fakeTerminal(context, { env })
    return { code: await main(args, terminal), out: terminal.printed.out }
  }
  const before = await run('doctor')
  assert.equal(before.code, 0)
  assert.match(before.out, /^! index template mangaassist-template: missing\n.*setup --apply/m)
  assert.match(before.out, /^✓ OpenSearch: version 3\.3\.0$/m)
  assert.match(before.out, /search in opensearch/)
  assert.equal((await run('setup', '--apply')).code, 0)
  const after = await run('doctor')
  assert.match(after.out, /^✓ OpenSearch \(http:.*\): everything that setup makes is there$/m)
  assert.match(after.out, /^! alias mangaassist: missing$/m)
  await standIn.close()
  const down = await run('doctor')
  assert.equal(down.code, 0)
  assert.match(down.out, /^! OpenSearch: OpenSearch cannot be reached/m)
  assert.doesNotMatch(down.out, /Check the region and the endpoint/)
})

test('a search whose engine has no edition says that the own index chose', async (context) => {
  await using standIn = await startSearchEngine({ clock: systemClock() })
  const env = { MANGA_STORES__SEARCH: 'opensearch', MANGA_OPENSEARCH__NODE: standIn.url }
  const terminal = fakeTerminal(context, { env })
  assert.equal(await main(['search', '海賊', '--explain'], terminal), 0)
  assert.match(terminal.printed.out, /products chosen by the own index: OpenSearch answered 4\d\d/)
  assert.deepEqual(
    standIn.requests().filter((request) => !request.startsWith('POST')),
    [],
  )
})
