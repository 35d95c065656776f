// The files of `deploy/` and their documents: they hide the same paths, leave address and port to the configuration, and
// name one oldest Node.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the checklist, the nginx site and its description hide the same paths', () => {
  const hidden = ['/metrics', '/readyz', '/api/admin', '/console']
  const listed = hidden.map((path) => `\`${path}\``)
  const sentence = new RegExp(`${listed.slice(0, -1).join(',\\s')}\\sand\\s${listed.at(-1)}`)
  assert.match(read('SECURITY.md'), new RegExp(`^3\\. Block ${sentence.source} at the proxy`, 'm'))
  assert.match(read('docs/deploy.md'), new RegExp(`hides ${sentence.source}`))
  const [, paths = ''] =
    /location ~ \^\/\(\?:([^)]*)\)\(\?:\/\|\$\) \{ return 404; \}/.exec(read('deploy/nginx.conf')) ?? []
  assert.deepEqual(
    paths.split('|').map((path) => `/${path}`),
    hidden,
  )
})

test('the systemd unit sets no address and no port, because the configuration does', () => {
  const set = [...read('deploy/mangaassist.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' '),
  )
  assert.deepEqual(
    set.map((assignment) => assignment.split('=')[0]),
    ['DATA_DIR', 'NODE_ENV'],
  )
})

test('the health check of the image asks the port that PORT names', async () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/readyz' ? 200 : 404).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const [, command = ''] = /^HEALTHCHECK[^]*?CMD (\[.*\])$/m.exec(read('deploy/Dockerfile')) ?? []
  const [, ...args] = JSON.parse(command) as string[]
  const check = async () => {
    const child = spawn(process.execPath, args, { env: { PORT: `${port}` }, stdio: 'ignore' })
    return (await once(child, 'exit'))[0] as number
  }
  assert.equal(await check(), 0)
  server.close().closeAllConnections()
  await once(server, 'close')
  assert.equal(await check(), 1)
})

test('every manifest and every document names the same oldest Node', () => {
  const manifests = ['package.json', ...['client', 'protocol', 'server'].map((name) => `packages/${name}/package.json`)]
  const oldest = manifests.map((path) => (JSON.parse(read(path)) as { engines: { node: string } }).engines.node)
  assert.deepEqual(new Set(oldest), new Set(['>=20.3']))
  for (const path of ['README.md', ...globSync('{docs,packages/*}/*.md', { cwd: ROOT })])
    for (const [named] of read(path).matchAll(/Node (?:≥ 20|20 or newer)(?!\.3)[^\n]*/g))
      assert.fail(`${path}: ${named}`)
})
