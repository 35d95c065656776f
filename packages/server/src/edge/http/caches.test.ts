// What a cache in front of us may store: every route is called, and none gives out an identity that could be shared.
import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { openDoors } from '#fixtures/edge/doors.ts'

async function withFiles() {
  const stack = new AsyncDisposableStack()
  const { path: webRoot } = stack.use(await mkdtempDisposable(join(tmpdir(), 'web-')))
  await mkdir(join(webRoot, 'assets'))
  for (const name of ['index.html', 'widget.js', 'favicon.svg', 'assets/store-1234.js', 'assets/store-1234.js.br'])
    await writeFile(join(webRoot, name), 'content')
  const doors = stack.use(
    await openDoors({ webRoot, deadlines: { rest: { ...defaults.deadlines.rest, endMs: 50 }, settleMs: 1 } }),
  )
  return { ...doors, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const FILES = ['/widget.js', '/favicon.svg', '/assets/store-1234.js', '/assets/gone.js', '/nothing']
/** A line of `printRoutes`: the depth, the piece of the path, and the methods. */
const ROUTE_LINE = /^((?:│   |    )*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/

function routesOf(drawn: string): { url: string; methods: readonly string[] }[] {
  const above: string[] = []
  return drawn.split('\n').flatMap((line) => {
    const [, indent, piece, methods] = ROUTE_LINE.exec(line.trimEnd()) ?? []
    if (indent === undefined || piece === undefined) return []
    above.length = indent.length / 4
    const url = `${above.join('')}${piece}`
    above.push(piece)
    return methods === undefined ? [] : [{ url, methods: methods.split(', ') }]
  })
}

test('no response that a cache may store sets a cookie', async () => {
  await using doors = await withFiles()
  doors.app.turn('turn_1').end()
  const routes = routesOf(doors.http.printRoutes({ commonPrefix: false }))
  const urls = routes.flatMap(({ methods, url }) =>
    methods.map((method) => ({ method, url: url.replaceAll(/:\w+/g, 'x').replace('*', 'x') })),
  )
  assert.ok(urls.length > 40, `only ${urls.length} routes were found`)
  for (const known of ['/series/x', '/api/chat', '/v1/models', '/api/admin/tiers', '/metrics', '/docs'])
    assert.ok(
      urls.some(({ url }) => url === known),
      `${known} was not found`,
    )
  const asked = [...urls, ...FILES.map((url) => ({ method: 'GET', url }))]
  let greeted = 0
  for (const { method, url } of asked) {
    for (const accept of ['text/html', 'application/json']) {
      const response = await doors.http.inject({
        method: method as 'GET',
        url,
        headers: { accept, 'accept-encoding': 'br' },
        ...(method === 'POST' ? { payload: { message: 'x' } } : {}),
      })
      if (response.headers['set-cookie'] === undefined) continue
      greeted += 1
      assert.equal(response.headers['cache-control'], 'private, no-store', `${method} ${url}`)
    }
  }
  assert.ok(greeted > 5, 'nobody was greeted')
})

test('documents create a guest and are not stored by shared caches; files never create one', async () => {
  await using doors = await withFiles()
  const headers = { accept: 'text/html' }
  for (const url of FILES.slice(0, 3)) {
    const { headers: sent, statusCode } = await doors.http.inject({ url, headers })
    assert.deepEqual([statusCode, sent['set-cookie']], [200, undefined], url)
  }
  for (const url of ['/', '/support', '/series/akira', '/nothing']) {
    const first = await doors.http.inject({ url, headers })
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
    assert.match(cookie, /^ma_guest=guest_/)
    const again = await doors.http.inject({ url, headers: { ...headers, cookie } })
    assert.deepEqual(
      [again.headers['set-cookie'], again.headers['cache-control']],
      [undefined, 'private, no-cache'],
      url,
    )
  }
})
