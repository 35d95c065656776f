// `deploy/nginx.conf` with a real nginx, a self-signed certificate and a real server behind it: pages, a WebSocket, a
// stream that is not buffered, and the client address that the server sees. Needs `nginx` and `openssl`.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createClient } from '@mangaassist/client'
import type { ChatPart } from '@mangaassist/client'
import WebSocket from 'ws'
import { SLOWLY, startServer, temporaryFolder } from '../e2e/server-process.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

const SITE = resolve(import.meta.dirname, '../../../../deploy/nginx.conf')
/** The paths in SECURITY.md; `deploy-files.test.ts` compares the documents. */
const HIDDEN = ['/metrics', '/readyz', '/api/admin/tiers', '/console', '/console/turns']

test('the nginx site serves pages, a WebSocket and a stream that is not buffered', async () => {
  await using folder = await temporaryFolder()
  const trusted = { ...SLOWLY, MANGA_SERVER__TRUSTPROXY: 'true', MANGA_RATES__ADDRESS__CONNECTIONSMAX: '1' }
  await using server = await startServer({ dataDir: join(folder.path, 'data'), env: trusted })
  await using nginx = await startNginx(folder.path, server.address)
  const { ports } = nginx

  const page = await get(ports.tls, '/')
  assert.deepEqual([page.status, page.body.includes('<script')], [200, true])
  await assertHidden(ports.tls, server.address)
  const plain = await fetch(`http://127.0.0.1:${ports.plain}/docs`, { redirect: 'manual' })
  assert.deepEqual([plain.status, plain.headers.get('location')], [308, 'https://127.0.0.1/docs'])

  await assertUnbuffered(ports.tls)
  await assertWebSocket(ports.tls)
})

/** The site with changed ports, certificate and server address. */
async function startNginx(folder: string, upstream: string) {
  const ports = { plain: await freePort(), tls: await freePort() }
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files, ...subject], {
    stdio: 'ignore',
  })
  const site = (await readFile(SITE, 'utf8'))
    .replaceAll(/^ *listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports.plain};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${ports.tls} ssl`)
    .replace('/etc/ssl/mangaassist/fullchain.pem', certificate)
    .replace('/etc/ssl/mangaassist/privkey.pem', key)
    .replace('127.0.0.1:8080', new URL(upstream).host)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const logs = `error_log ${folder}/error.log; access_log off; ${temporary.join(' ')}`
  await writeFile(join(folder, 'nginx.conf'), `daemon off; pid ${folder}/pid; events {} http { ${logs}\n${site}\n}\n`)
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  await waitUntil('nginx answers', () => answers(ports.tls))
  return { ports, [Symbol.asyncDispose]: stop }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function answers(port: number): Promise<boolean> {
  return get(port, '/healthz').then(
    ({ status }) => status === 200,
    () => false,
  )
}

async function get(port: number, path: string): Promise<{ status: number | undefined; body: string }> {
  const asked = request({ host: '127.0.0.1', port, path, rejectUnauthorized: false }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response) }
}

/** Each path exists on the server itself, and not through the site, however it is written; its neighbours do. */
async function assertHidden(port: number, address: string): Promise<void> {
  for (const path of HIDDEN) {
    assert.notEqual((await fetch(new URL(path, address))).status, 404, path)
    for (const written of [
      path,
      `${path}/`,
      `${path}?x=1`,
      `/${path}`,
      `/api/..${path}`,
      `/%${hex(path)}${path.slice(2)}`,
    ])
      assert.equal((await get(port, written)).status, 404, written)
  }
  // The site resolves these, and lets them through as other paths: the server has to refuse them.
  for (const up of [
    '/api/admin/users/a%2f..%2f..%2f..%2f..',
    '/console/..%2fx',
    '/console/%2e%2e',
    '/api/admin/tiers/../../../docs',
  ])
    assert.equal((await get(port, up)).status, 404, up)
  for (const path of ['/healthz', '/docs', '/api/quota']) assert.equal((await get(port, path)).status, 200, path)
}

function hex(path: string): string {
  return path.charCodeAt(1).toString(16)
}

/** A buffering proxy would deliver the end of the answer together with its beginning. */
async function assertUnbuffered(port: number): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const asked = request({
    host: '127.0.0.1',
    port,
    path: '/api/chat',
    method: 'POST',
    headers,
    rejectUnauthorized: false,
  }).end(JSON.stringify({ message: 'something like Berserk' }))
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8')
  const reads: string[] = []
  for await (const read of response.setEncoding('utf8')) reads.push(read as string)
  const withText = reads.findIndex((read) => read.includes('event: chunk'))
  const withEnd = reads.findIndex((read) => read.includes('event: done'))
  assert.ok(withText !== -1 && withEnd > withText, `the end came with the beginning, in ${reads.length} reads`)
  assert.ok(reads.length > 3, `the answer came in ${reads.length} reads`)
}

/** Its origin is the site's, and its address is the one that nginx saw, whatever it claims. */
async function assertWebSocket(port: number): Promise<void> {
  const origin = `https://127.0.0.1:${port}`
  const headers = (from: string) => ({ cookie: 'none=1', 'x-forwarded-for': from })
  const client = createClient({ url: origin, webSocket: Trusting, origin, headers: headers('192.0.2.1') })
  try {
    const parts: ChatPart[] = []
    for await (const part of client.chat({ message: 'something like Spy x Family but darker' })) parts.push(part)
    const end = parts.at(-1)
    assert.deepEqual([end?.type, end?.type === 'done' && end.verified], ['done', true])
    assert.ok(parts.filter(({ type }) => type === 'text').length > 1)
    // An address may have one connection here. The client still has it, and this one claims to be elsewhere.
    const other = new Trusting(`wss://127.0.0.1:${port}/ws`, ['mangaassist.v1'], { headers: headers('192.0.2.2') })
    const [code] = await once(other, 'close')
    assert.equal(code, 4429)
  } finally {
    client.close()
  }
}

class Trusting extends WebSocket {
  constructor(url: string, protocols: string[], options?: WebSocket.ClientOptions) {
    super(url, protocols, { ...options, rejectUnauthorized: false })
  }
}
