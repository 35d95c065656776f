// Serves the built pages as the server does: files unchanged, the store's page for its routes, and the policy that
// allows nothing inline. Also serves a page of another site that contains the widget's tag.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const policy = [
  `default-src 'self'`,
  `object-src 'none'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'self'`,
  // Stricter than the real server: no string of our code may become markup or script.
  `require-trusted-types-for 'script'`,
].join('; ')

export function serveFile(path: string, response: ServerResponse): void {
  const file = `${dist}${path}`
  const isFile = extname(path) !== '' && existsSync(file)
  response.writeHead(200, {
    'content-type': types[isFile ? extname(path) : '.html'] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'cross-origin-resource-policy': path === '/widget.js' ? 'cross-origin' : 'same-origin',
  })
  response.end(readFileSync(isFile ? file : `${dist}/index.html`))
}

/** Starts another origin whose page contains the tag, with a strict policy and styles that try to break the chat. */
export async function startHostPage(
  shop: string,
  attributes = '',
): Promise<{ url: string; close: () => Promise<void> }> {
  const socket = shop.replace('http', 'ws')
  const hostPolicy = `default-src 'none'; script-src ${shop}; connect-src ${shop} ${socket}; style-src 'self'`
  const page = `<!doctype html><html lang="en"><head><title>Blog</title><link rel="stylesheet" href="/rude.css">
    <script src="${shop}/widget.js" async ${attributes}></script></head><body><h1>A blog</h1><button>Mine</button></body></html>`
  const rude = `* { font-family: fantasy !important; letter-spacing: 9px; color: lime !important; box-sizing: content-box }
    html { font-size: 40px } button { display: none } body > * { position: static; transform: rotate(3deg) }`
  const host = createServer((request, response) => {
    const css = request.url === '/rude.css'
    response.writeHead(200, { 'content-type': css ? 'text/css' : 'text/html', 'content-security-policy': hostPolicy })
    response.end(css ? rude : page)
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  return {
    url: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    close: async () => {
      host.closeAllConnections()
      await new Promise((resolve) => host.close(resolve))
    },
  }
}
