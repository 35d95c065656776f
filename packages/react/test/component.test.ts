// The component on a server, and in a page of another site in a real browser.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { build } from 'vite'
import type { Rolldown } from 'vite'
import { launchBrowser, visit } from '../../web/test/browser.ts'
import { startFakeServer, streaming } from '../../web/test/fake-server.ts'
import { MangaAssist } from '../src/index.ts'

test('on a server the tag is rendered with its settings, and nothing is loaded', () => {
  const settings = { server: 'https://shop.example', suggestions: ['a', 'b'], cart: true, open: false }
  const html = renderToString(createElement(MangaAssist, settings))
  assert.match(html, /^<manga-assist suggestions="a\|b" server="https:\/\/shop\.example" cart=""><\/manga-assist>$/)
})

test('in a page the component loads the chat, passes settings, and reports events', async () => {
  const server = await startFakeServer()
  const code = await bundle()
  const host = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(
      isScript
        ? code
        : `<!doctype html><title>shop</title><body data-server="${server.url}"><div id="root"></div><script src="/page.js"></script>`,
    )
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  const browser = await launchBrowser()
  try {
    const { page, complaints } = await visit(browser)
    server.script = streaming('Yes.')
    await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}`)
    await page.getByTestId('chat-launcher').waitFor()
    await page.locator('#open').click()
    // The panel is loaded when it is first opened.
    await page.getByTestId('chat-suggestion').nth(1).waitFor()
    assert.deepEqual(await page.getByTestId('chat-suggestion').allInnerTexts(), ['One', 'Two'])
    await page.getByTestId('chat-suggestion').first().click()
    await page.locator('[data-phase=ended]').waitFor()
    const receivedAll = (count: number) =>
      page.waitForFunction((least) => (globalThis as unknown as { events: string[] }).events.length >= least, count)
    await receivedAll(3)
    const events = await page.evaluate(() => (globalThis as unknown as { events: string[] }).events)
    assert.deepEqual(events, ['ready', 'open', 'answer t1'])
    await page.keyboard.press('Escape')
    await page.getByTestId('chat-launcher').waitFor()
    // The page has followed, so that its next change opens the panel again.
    await page.locator('#open').click()
    await page.getByTestId('chat-input').waitFor()
    await receivedAll(5)
    const later = await page.evaluate(() => (globalThis as unknown as { events: string[] }).events.slice(3))
    assert.deepEqual(later, ['close', 'open'])
    await page.locator('#toggle').click()
    await page.locator('manga-assist').waitFor({ state: 'detached' })
    await page.locator('#toggle').click()
    await page.getByTestId('chat-input').waitFor()
    assert.equal(await page.locator('manga-assist').count(), 1)
    assert.deepEqual(complaints, [])
  } finally {
    await browser.close()
    host.closeAllConnections()
    host.close()
    await server.close()
  }
})

async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('shop-page.ts', import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'page' } },
  })
  const [output] = built as Rolldown.RolldownOutput[]
  return output?.output[0].code ?? ''
}
