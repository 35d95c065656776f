// Serves the built pages as the server does: files unchanged, a short page of the store for its routes, and the policy that
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
  '.json': 'application/json',
}
const policy = [
  `default-src 'self'`,
  `object-src 'none'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  // Pages at `localhost` are another site, and allowed; those at other names are not.
  `frame-ancestors 'self' http://localhost:*`,
  // Stricter than the real server: no string of our code may become markup or script.
  `require-trusted-types-for 'script'`,
].join('; ')

interface HostPage {
  readonly url: string
  close(): Promise<void>
}

/** Files that any site may load. */
const forEveryone = /^\/widget(?:\.js|\.json|\/.+)$/

export function serveFile(address: string, response: ServerResponse): void {
  const path = address === '/widget/frame' ? '/widget-frame.html' : address
  const file = `${dist}${path}`
  const isFile = extname(path) !== '' && existsSync(file)
  // A script that is missing is not the store's page.
  response.writeHead(extname(path) === '' || isFile ? 200 : 404, {
    'content-type': types[isFile ? extname(path) : '.html'] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'cross-origin-resource-policy': forEveryone.test(path) ? 'cross-origin' : 'same-origin',
    ...(forEveryone.test(path) ? { 'access-control-allow-origin': '*' } : {}),
  })
  response.end(isFile ? readFileSync(file) : storePage(path))
}

/** A page of the store as far as the chat knows it: its language, its series, and links to other pages. */
function storePage(path: string): string {
  const isEnglish = /^\/en(?:\/|$)/.test(path)
  const [, id = ''] = /^(?:\/en)?\/series\/([a-z0-9-]+)$/.exec(path) ?? []
  const [home, other] = isEnglish ? ['/en/', path.slice('/en'.length)] : ['/', `/en${path}`]
  const header = `<header class="head"><a class="brand" href="${home}" data-testid="brand">Shop</a>
    <a class="language" href="${other}" hreflang="${isEnglish ? 'ja' : 'en'}" data-testid="language">other</a></header>`
  const support = isEnglish ? 'Support' : 'ご利用案内'
  const title = id !== '' ? id : path.endsWith('/support') ? support : 'Home'
  const product = id === '' ? '' : ` data-product="${id}"`
  const content = `<main id="content" tabindex="-1" data-name="${title}"${product}><h1>${title}</h1></main>`
  return readFileSync(`${dist}/index.html`, 'utf8')
    .replace('<html lang="ja">', `<html lang="${isEnglish ? 'en' : 'ja'}">`)
    .replace('<!--store:head-->', '<title>Shop</title>')
    .replace('<!--store:body-->', `<div class="store">${header}${content}</div>`)
}

/** Starts another site whose page may have our script and our frame, and nothing else: no styles, no connections. */
export async function startFramingPage(shop: string, attributes = '', body = ''): Promise<HostPage> {
  const page = `<!doctype html><html lang="en"><head><title>Blog</title>
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <script src="${shop}/widget.js" data-mode="iframe" async ${attributes}></script>
    </head><body><main><h1>A blog</h1><button>Mine</button></main>${body}</body></html>`
  const framingPolicy = `default-src 'none'; script-src ${shop}; frame-src ${shop}; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
  return startSite((_path, response) => {
    response.writeHead(200, { 'content-type': types['.html'], 'content-security-policy': framingPolicy })
    response.end(page)
  })
}

/** Starts another site whose page contains the tag, with a strict policy and styles that try to break the chat. */
export async function startHostPage(shop: string, attributes = ''): Promise<HostPage> {
  const socket = shop.replace('http', 'ws')
  const hostPolicy = [
    `default-src 'none'`,
    `script-src ${shop}`,
    `connect-src ${shop} ${socket}`,
    `style-src 'self'`,
    `require-trusted-types-for 'script'`,
    `trusted-types lit-html host`,
  ].join('; ')
  // Pinned, as the documentation recommends for such a page.
  const { script } = JSON.parse(readFileSync(`${dist}/widget.json`, 'utf8')) as {
    script: { path: string; integrity: string }
  }
  const page = `<!doctype html><html lang="en"><head><title>Blog</title><link rel="stylesheet" href="/rude.css">
    <script src="${shop}${script.path}" integrity="${script.integrity}" crossorigin async ${attributes}></script>
    </head><body><h1>A blog</h1><button>Mine</button></body></html>`
  const rude = `* { all: unset !important; font-size: 40px !important; font-family: fantasy !important; letter-spacing: 9px !important;
      color: lime !important; box-sizing: content-box !important }
    body > * { transform: rotate(3deg) !important; opacity: 0.5 !important }
    manga-assist { display: inline !important; position: static !important; width: 900px !important }
    button { display: none !important }`
  return startSite((path, response) => {
    const css = path === '/rude.css'
    response.writeHead(200, {
      'content-type': css ? 'text/css' : 'text/html; charset=utf-8',
      'content-security-policy': hostPolicy,
    })
    response.end(css ? rude : page)
  })
}

async function startSite(answer: (path: string | undefined, response: ServerResponse) => void): Promise<HostPage> {
  const host = createServer((request, response) => answer(request.url, response))
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  return {
    // Another site than the server's address, whose cookies are a third party's.
    url: `http://localhost:${(host.address() as AddressInfo).port}`,
    close: async () => {
      host.closeAllConnections()
      await new Promise((resolve) => host.close(resolve))
    },
  }
}
