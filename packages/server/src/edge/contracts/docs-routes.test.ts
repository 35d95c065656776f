// The page of the contracts: complete, and nothing that its policy would block.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'

test('the pages and their files come from this server, with nothing inline', async () => {
  await using doors = await openDoors()
  const pages = await Promise.all(['/docs', '/playground', '/en/playground'].map((url) => doors.http.inject({ url })))
  for (const { body, headers, statusCode } of pages) {
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'])
    assert.doesNotMatch(body, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
  }
  const page = { body: pages.map(({ body }) => body).join('\n') }
  const files = [...page.body.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '')
  const imported = (await doors.http.inject({ url: '/docs/docs.js' })).body.matchAll(/from '\.\/([^']+)'/g)
  const all = [...files, ...[...imported].map(([, name]) => `/docs/${name}`)]
  assert.ok(all.length >= 6)
  for (const url of all) {
    const file = await doors.http.inject({ url })
    assert.equal(file.statusCode, 200, url)
    assert.match(String(file.headers['content-type']), url.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
  }
  const moved = await doors.http.inject({ url: '/docs/' })
  assert.deepEqual([moved.statusCode, moved.headers['location']], [308, '/docs'])
})

test('a reader who has a document is not sent it again', async () => {
  await using doors = await openDoors()
  for (const url of ['/openapi.json', '/asyncapi.json', '/docs', '/docs/docs.css', '/playground']) {
    const { body, headers } = await doors.http.inject({ url })
    assert.equal(headers['cache-control'], 'no-cache')
    const known = String(headers['etag'])
    for (const tag of [known, `"other", W/${known}`]) {
      const again = await doors.http.inject({ url, headers: { 'if-none-match': tag } })
      assert.deepEqual([again.statusCode, again.body, again.headers['etag']], [304, '', known], url)
    }
    const changed = await doors.http.inject({ url, headers: { 'if-none-match': '"other"' } })
    assert.deepEqual([changed.statusCode, changed.body], [200, body], url)
  }
})

test('the page to try the chat is in the language of its address, with the same settings, and leads to the other', async () => {
  await using doors = await openDoors()
  const [ja = '', en = ''] = await Promise.all(
    ['/playground', '/en/playground'].map(async (url) => (await doors.http.inject({ url })).body),
  )
  const controls = (body: string) => [...body.matchAll(/(?:name|id|option value)="([^"]*)"/g)].map(([, name]) => name)
  assert.deepEqual(controls(ja), controls(en))
  assert.match(ja, /<html lang="ja">.*<h1>チャットを試す<.*href="\/en\/playground" lang="en"/s)
  assert.match(en, /<html lang="en">.*<h1>Try the chat<.*href="\/playground" lang="ja"/s)
  assert.doesNotMatch(en, /[ぁ-んァ-ヶ]/)
})
