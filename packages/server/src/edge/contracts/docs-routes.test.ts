// The page of the contracts: complete, and nothing that its policy would block.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'

test('the page and its files come from this server, with nothing inline', async () => {
  await using doors = await openDoors()
  const page = await doors.http.inject({ url: '/docs' })
  assert.equal(page.statusCode, 200)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.doesNotMatch(page.body, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
  const files = [...page.body.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '')
  const imported = (await doors.http.inject({ url: '/docs/docs.js' })).body.matchAll(/from '\.\/([^']+)'/g)
  const all = [...files, ...[...imported].map(([, name]) => `/docs/${name}`)]
  assert.ok(all.length >= 3)
  for (const url of all) {
    const file = await doors.http.inject({ url })
    assert.equal(file.statusCode, 200, url)
    assert.match(String(file.headers['content-type']), url.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
  }
  const moved = await doors.http.inject({ url: '/docs/' })
  assert.deepEqual([moved.statusCode, moved.headers['location']], [308, '/docs'])
})
