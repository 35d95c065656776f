// The storefront's routes over a fake app: what a reader gets when a part of the shop is unavailable, and of odd addresses.
import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { Refusal } from '#domain/refusal.ts'

const headers = { accept: 'text/html' }

async function withStorefront() {
  const stack = new AsyncDisposableStack()
  const { path: webRoot } = stack.use(await mkdtempDisposable(join(tmpdir(), 'web-')))
  await writeFile(join(webRoot, 'index.html'), '<html lang="ja"><!--store:head--><body><!--store:body--></body>')
  const doors = stack.use(await openDoors({ webRoot }))
  return { ...doors, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('a shelf that cannot be read is a page with status 503, in the language of the address', async () => {
  await using doors = await withStorefront()
  doors.app.products = async () => {
    throw new Refusal('MAINTENANCE')
  }
  for (const [url, words] of [
    ['/?q=x', 'もう一度お試しください'],
    ['/en/?q=x', 'Please try again'],
  ] as const) {
    const response = await doors.http.inject({ url, headers })
    assert.deepEqual([response.statusCode, response.body.includes(words)], [503, true], url)
  }
})

test('filters of the address reach the catalogue, and what is not understood does not', async () => {
  await using doors = await withStorefront()
  const url = '/en/?q=robots&genre=mecha&totalMax=5000&sort=length&page=2&volumesMax=x'
  assert.equal((await doors.http.inject({ url, headers })).statusCode, 404, 'a page beyond the last')
  assert.deepEqual(doors.app.searched.at(-1), {
    text: 'robots',
    language: 'en',
    limit: 24,
    after: '',
    skip: 24,
    filters: { genre: 'mecha', totalMax: 5000 },
    sort: 'length',
  })
})

test('text of the address is never markup', async () => {
  await using doors = await withStorefront()
  const hostile = encodeURIComponent('"><script>alert(1)</script>')
  for (const url of [`/?q=${hostile}`, `/?genre=${hostile}`, `/support?q=${hostile}`, `/series/${hostile}`]) {
    const { body } = await doors.http.inject({ url, headers })
    assert.doesNotMatch(body, /<script>alert/, url)
  }
})

test('a name that is no picture is NOT_FOUND', async () => {
  await using doors = await withStorefront()
  for (const url of ['/covers/nothing.svg', '/covers/nothing.png', '/covers/a.gif', '/covers/.svg'])
    assert.equal((await doors.http.inject({ url })).statusCode, 404, url)
})
