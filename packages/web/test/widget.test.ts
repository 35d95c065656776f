// The widget on a page of another site, with a strict policy, aggressive styles and no cookies of ours: the chat works,
// and neither side's styles change the other.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'
import { cards } from './fake-api.ts'
import { startHostPage } from './fake-files.ts'
import { startFakeServer, streaming } from './fake-server.ts'

let browser: Browser

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

async function setUp(attributes?: string) {
  const server = await startFakeServer()
  const host = await startHostPage(server.url, attributes)
  const { page, complaints, close } = await visit(browser)
  await page.goto(host.url)
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

test('the chat answers on another site, with a ticket as its credential', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.script = streaming('Yes: [Akira](/series/akira).', { meta: { products: cards(['akira'], 'en') } })
  await page.getByTestId('chat-launcher').click()
  assert.deepEqual(server.requests, [], 'nobody is made a guest before the first question')
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.locator('[data-phase=ended]').waitFor()
  assert.match(server.socketUrls[0] ?? '', /^\/ws\?ticket=ticket-\d+$/)
  const link = page.getByTestId('chat-answer').getByRole('link')
  assert.equal(await link.getAttribute('href'), `${server.url}/series/akira`)
  assert.deepEqual(
    [await link.getAttribute('target'), await link.getAttribute('rel')],
    ['_blank', 'noopener noreferrer nofollow'],
  )
  assert.equal(await page.getByTestId('chat-card').getByRole('link').getAttribute('href'), `${server.url}/series/akira`)
  assert.deepEqual(complaints, [])
})

test('thumbs and opened cards are sent with a ticket of the same guest', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.script = streaming('Yes: Akira.', { meta: { products: cards(['akira'], 'en') } })
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.getByTestId('chat-rating').waitFor()
  const path = (name: string) => `**/api/turns/t1/${name}`
  const [sent] = await Promise.all([
    page.waitForResponse(path('feedback')),
    page.getByTestId('chat-thumb-down').click(),
  ])
  assert.match((await sent.request().allHeaders())['authorization'] ?? '', /^Bearer ticket-\d+$/)
  await Promise.all([
    page.waitForResponse(path('opened')),
    page.context().waitForEvent('page'),
    page.getByTestId('chat-card').getByRole('link').click(),
  ])
  assert.deepEqual(server.calls, [
    ['/api/turns/t1/feedback', { value: 'down', sessionId: 's1' }],
    ['/api/turns/t1/opened', { productId: 'akira', sessionId: 's1' }],
  ])
  assert.deepEqual(complaints, [])
})

test('after a reload the guest and the conversation are the same', async () => {
  await using setting = await setUp()
  const { server, page } = setting
  server.script = streaming('Yes.')
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.locator('[data-phase=ended]').waitFor()
  const stored = () => page.evaluate(() => Object.values(localStorage).join())
  const guest = /guest-\d+/.exec(await stored())?.[0]
  server.session = { turns: [{ turnId: 't1', question: 'Akira?', answer: 'Yes.', finishReason: 'stop', products: [] }] }
  const asked = page.waitForRequest('**/api/sessions/s1')
  await page.reload()
  assert.match((await (await asked).allHeaders())['authorization'] ?? '', /^Bearer ticket-\d+$/)
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-answer').filter({ hasText: 'Yes.' }).waitFor()
  assert.ok(guest !== undefined && (await stored()).includes(guest))
})

test('neither side’s styles affect the other', async () => {
  await using setting = await setUp()
  const { page } = setting
  const launcher = page.getByTestId('chat-launcher')
  const style = await launcher.evaluate((button) => {
    const { fontFamily, letterSpacing, color, display } = getComputedStyle(button)
    const { right, bottom } = button.getBoundingClientRect()
    return { fontFamily, letterSpacing, color, display, right: innerWidth - right, bottom: innerHeight - bottom }
  })
  assert.ok(!style.fontFamily.includes('fantasy'), style.fontFamily)
  assert.deepEqual([style.letterSpacing, style.display, style.right, style.bottom], ['normal', 'flex', 20, 20])
  assert.notEqual(style.color, 'rgb(0, 255, 0)')
  const heading = await page.locator('h1').evaluate((element) => getComputedStyle(element).color)
  assert.equal(heading, 'rgb(0, 255, 0)')
  assert.equal(await page.locator('body > *').count(), 3)
})

test('the widget reads its settings from the tag', async () => {
  await using setting = await setUp('data-language="ja" data-position="left" data-accent="#0a6b3d"')
  const { page } = setting
  const launcher = page.getByRole('button', { name: '漫画アシスタントを開く' })
  const style = await launcher.evaluate((button) => {
    const { backgroundColor, color } = getComputedStyle(button)
    return { backgroundColor, color, left: button.getBoundingClientRect().left }
  })
  assert.deepEqual(style, { backgroundColor: 'rgb(10, 107, 61)', color: 'rgb(255, 255, 255)', left: 20 })
})

test('on a page that is not allowed, the chat says so at once, and the console says what to configure', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.closedToOthers = true
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.getByTestId('chat-end').waitFor()
  assert.match(await page.getByTestId('chat-end').innerText(), /not available on this page|ご利用いただけません/)
  assert.equal(await page.getByTestId('chat-retry').count(), 0)
  const origin = new URL(page.url()).origin
  assert.ok(complaints.some((text) => text.includes(origin) && text.includes('server.allowedOrigins')))
  assert.equal(server.requests.length, 1)
})
