// A page that was loaded before a deployment: the files of its build are gone from the server. What it loads later comes from the
// current build, and where that is not possible the answer is still shown with its series.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'
import { cards } from './fake-api.ts'
import { startHostPage } from './fake-files.ts'
import { startFakeServer, streaming } from './fake-server.ts'

let browser: Browser

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

const manifest = JSON.parse(readFileSync(new URL('../dist/widget.json', import.meta.url), 'utf8'))

async function setUp({ isStore = false } = {}) {
  const server = await startFakeServer()
  const host = await startHostPage(server.url)
  const { page, complaints, close } = await visit(browser)
  server.script = streaming('Yes: Akira.', {
    meta: { products: cards(['akira'], 'en'), contact: 'support@shop.example' },
  })
  await page.goto(isStore ? `${server.url}/en/` : host.url)
  return {
    server,
    page,
    complaints,
    async [Symbol.asyncDispose]() {
      await close()
      await host.close()
      await server.close()
    },
  }
}

async function ask(page: Page): Promise<void> {
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.locator('[data-phase=ended]').waitFor()
}

async function gone(page: Page, address: RegExp): Promise<void> {
  await page.route(address, (route) => route.fulfill({ status: 404, body: '' }))
}

test('cards and the list of conversations come from the current build when those of the page’s are gone', async () => {
  await using setting = await setUp()
  const { page, complaints } = setting
  await gone(page, /\/widget\/(?:ended|history)-[^/?]+\.js$/)
  await ask(page)
  await page.getByTestId('chat-card').waitFor()
  assert.equal(await page.getByTestId('chat-plain-cards').count(), 0)
  await page.getByTestId('chat-history').click()
  await page.getByTestId('chat-history-back').waitFor()
  assert.equal(await page.locator('link[rel=modulepreload]').count(), 0)
  assert.deepEqual(complaints, [])
})

test('without any, the answer has its series as plain links and says that something is missing; a retry completes it', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  const { parts, ...rest } = manifest
  const newer = { ...rest, parts: { ...parts, contract: parts.contract + 1 } }
  await gone(page, /\/widget\/ended-[^/?]+\.js$/)
  await page.route(`${server.url}/widget.json`, (route) =>
    route.fulfill({ json: newer, headers: { 'access-control-allow-origin': '*' } }),
  )
  await ask(page)
  const link = page.getByTestId('chat-plain-cards').getByRole('link', { name: 'Akira' })
  assert.equal(await link.getAttribute('href'), `${server.url}/en/series/akira`)
  assert.match(await page.getByTestId('chat-plain-cards').innerText(), /¥[\d,]+ a volume/)
  assert.match(await page.getByTestId('chat-exchange').innerText(), /support@shop\.example/)
  assert.match(await page.getByTestId('chat-part-missing').innerText(), /could not be loaded/)
  await page.unroute(`${server.url}/widget.json`)
  await page.getByTestId('chat-part-retry').click()
  await page.getByTestId('chat-card').waitFor()
  assert.equal(await page.getByTestId('chat-part-missing').count(), 0)
  assert.deepEqual(complaints, [])
})

test('the storefront’s chat uses the panel and the cards of the current build when its own are gone', async () => {
  await using setting = await setUp({ isStore: true })
  const { page, complaints } = setting
  await gone(page, /\/assets\/(?:chat-panel|ended|cover-image)-[^/?]+\.js$/)
  await ask(page)
  await page.getByTestId('chat-card').waitFor()
  assert.deepEqual(complaints, [])
})

test('the storefront’s panel takes the cards of the current build when only these are gone', async () => {
  await using setting = await setUp({ isStore: true })
  const { page, complaints } = setting
  await gone(page, /\/assets\/ended-[^/?]+\.js$/)
  await ask(page)
  await page.getByTestId('chat-card').waitFor()
  await page.getByTestId('chat-action-copy').waitFor()
  assert.deepEqual(complaints, [])
})

test('after a panel that failed once, answers are complete', async () => {
  await using setting = await setUp()
  const { page, complaints } = setting
  const panel = /\/widget\/panel-[^/?]+\.js$/
  await gone(page, panel)
  const retried = page.waitForResponse(/widget\/panel-[^/?]+\.js\?again=/)
  await page.getByTestId('chat-launcher').hover()
  await retried
  await page.unroute(panel)
  await ask(page)
  await page.getByTestId('chat-card').waitFor()
  assert.deepEqual(complaints, [])
})
