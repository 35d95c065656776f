// The chat in a frame, on a page of another site whose policy allows our script and our frame and nothing else: it answers, follows the
// page's settings, and hears and tells only the page that it is on.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { axeProblems } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { cards } from './fake-api.ts'
import { streaming } from './fake-server.ts'
import { visitFramed } from './framed-visit.ts'

let browser: Browser

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

test('the chat answers in a frame, as a guest with a ticket, and the page hears of it', async () => {
  await using setting = await visitFramed(browser, {
    attributes: 'data-language="en" data-greeting="Summer fair." data-product="akira"',
  })
  const { server, page, frame, complaints } = setting
  server.script = streaming('Yes: [Akira](/series/akira).', { meta: { products: cards(['akira'], 'en') } })
  await frame.getByTestId('chat-launcher').click()
  await frame.getByText('Summer fair.').waitFor()
  await frame.getByTestId('chat-input').fill('Akira?')
  await frame.getByTestId('chat-send').click()
  await frame.locator('[data-phase=ended]').waitFor()
  assert.match(server.socketUrls[0] ?? '', /^\/ws\?ticket=ticket-\d+$/)
  assert.deepEqual(server.asked[0]?.page, { productId: 'akira' })
  const link = frame.getByTestId('chat-answer').getByRole('link')
  assert.deepEqual(
    [await link.getAttribute('target'), await link.getAttribute('rel')],
    ['_blank', 'noopener noreferrer nofollow'],
  )
  const opened = page.context().waitForEvent('page')
  await frame.getByTestId('chat-card').getByRole('link').click()
  await (await opened).waitForURL(`${server.url}/en/series/akira`)
  assert.deepEqual(await axeProblems(page, 'body'), [])
  await frame.getByTestId('chat-close').click()
  await frame.getByTestId('chat-launcher').waitFor()
  await page.locator('manga-assist:not([open])').waitFor({ state: 'attached' })
  assert.deepEqual(await setting.received(5), [
    ['ready', null],
    ['open', null],
    ['ask', null],
    ['answer', { turnId: 't1', products: 1 }],
    ['close', null],
  ])
  assert.deepEqual(complaints, [])
})

test('the frame covers the launcher, then the panel, and leaves clicks beside it to the page', async () => {
  await using setting = await visitFramed(browser)
  const { page, frame, area } = setting
  await setting.closed()
  const closed = await area()
  assert.ok(closed.left > 700 && closed.top > 650, JSON.stringify(closed))
  await page.getByRole('button', { name: 'Mine' }).click()
  await page.evaluate(() => document.querySelector('manga-assist')?.prefill('I am looking for '))
  await frame.getByTestId('chat-input').waitFor()
  await page.locator('manga-assist[open]').waitFor({ state: 'attached' })
  await setting.opened()
  assert.ok((await area()).top < closed.top)
  assert.equal(await frame.getByTestId('chat-input').inputValue(), 'I am looking for ')
  await page.getByRole('button', { name: 'Mine' }).click()
  await page.evaluate(() => document.querySelector('manga-assist')?.removeAttribute('open'))
  await frame.getByTestId('chat-launcher').waitFor()
})

test('the page’s token reaches the server, and a message of another window or origin nothing', async () => {
  await using setting = await visitFramed(browser)
  const { server, page, frame, complaints } = setting
  server.script = streaming('On its way.')
  const member = `e30.${Buffer.from('{"iss":"i","sub":"s"}').toString('base64url')}.x`
  await page.evaluate((token) => {
    const element = document.querySelector('manga-assist')
    if (element !== null) element.getToken = async () => token
  }, member)
  await frame.getByTestId('chat-launcher').waitFor()
  // From the page to itself: the right shape, but neither the frame's origin nor its window.
  await page.evaluate(() => {
    const mark = 'mangaassist-frame-1'
    postMessage({ mark, type: 'event', name: 'manga-assist-answer', detail: { turnId: 'x', products: 9 } }, '*')
    postMessage({ mark, type: 'token', id: 1 }, '*')
  })
  // From a frame of the page's own inside of it: a window that is not the chat's parent.
  const inner = page.frames().find((one) => one.url().includes('/widget/frame'))
  assert.ok(inner !== undefined)
  await inner.evaluate(() => {
    postMessage({ mark: 'mangaassist-frame-1', type: 'ask', text: 'forged' }, '*')
    parent.postMessage({ mark: 'other', type: 'event', name: 'manga-assist-answer' }, '*')
    parent.postMessage({ mark: 'mangaassist-frame-1', type: 'event', name: 'click', detail: {} }, '*')
    const long = { reason: { toString: 'x' }, list: [1], text: 'x'.repeat(5000) }
    parent.postMessage({ mark: 'mangaassist-frame-1', type: 'event', name: 'manga-assist-error', detail: long }, '*')
    parent.postMessage({ mark: 'mangaassist-frame-1', type: 'area', insets: ['0', null], open: 'yes' }, '*')
  })
  await frame.getByTestId('chat-launcher').click()
  const exchanged = page.waitForRequest('**/api/ticket')
  await frame.getByTestId('chat-input').fill('Where is it?')
  await frame.getByTestId('chat-send').click()
  assert.equal((await (await exchanged).allHeaders())['authorization'], `Bearer ${member}`)
  await frame.locator('[data-phase=ended]').waitFor()
  assert.deepEqual(
    server.asked.map(({ message }) => message),
    ['Where is it?'],
  )
  const received = await setting.received(5)
  assert.deepEqual(
    received.map(([event]) => event),
    ['ready', 'error', 'open', 'ask', 'answer'],
  )
  assert.deepEqual(received[1], ['error', { reason: undefined, list: undefined, text: undefined }])
  assert.deepEqual(complaints, [])
})

test('a page that may not frame the chat shows nothing of it, and hears why', async () => {
  await using setting = await visitFramed(browser, { name: '127.0.0.1' })
  const { server, page } = setting
  assert.deepEqual(await setting.received(1), [['error', { reason: 'panel-unavailable' }]])
  assert.equal(await page.locator('manga-assist iframe').isVisible(), false)
  await setting.complained(/frame-ancestors/)
  await setting.complained(/MangaAssist: the frame of .* Add "http:\/\/127\.0\.0\.1:\d+" to its server\.allowedOrigins/)
  assert.deepEqual(server.requests, [])
})

test('calls before the frame is ready, the cart, `hidden` and a sign-out have the same effect as without a frame', async () => {
  await using setting = await visitFramed(browser, { attributes: 'data-mount="none" data-language="en"' })
  const { server, page, frame, complaints } = setting
  server.script = streaming('Yes.', { meta: { products: cards(['akira'], 'en') } })
  const member = `e30.${Buffer.from('{"iss":"i","sub":"s"}').toString('base64url')}.x`
  await page.evaluate(async (token) => {
    const element = document.createElement('manga-assist')
    element.cart = true
    element.language = 'en'
    element.getToken = () => token
    element.addEventListener('manga-assist-cart', (event) => {
      event.preventDefault()
      event.detail.done({ ok: true, message: `${event.detail.productId} is yours`, href: '/basket' })
    })
    await customElements.whenDefined('manga-assist')
    document.body.append(element)
    element.ask('Akira?')
  }, member)
  await frame.locator('[data-phase=ended]').waitFor()
  assert.equal(server.asked[0]?.message, 'Akira?')
  await frame.getByTestId('chat-add-to-cart').click()
  await frame.getByTestId('chat-cart-note').filter({ hasText: 'akira is yours' }).waitFor()
  assert.equal(
    await frame.getByTestId('chat-cart-link').getAttribute('href'),
    new URL('/basket', page.url()).href,
    'an address of the page, not of the server',
  )

  const set = (change: object) =>
    page.evaluate((values) => {
      const element = document.querySelector('manga-assist')
      if (element !== null) Object.assign(element, values)
    }, change)
  await set({ hidden: true })
  await page.locator('manga-assist iframe').waitFor({ state: 'hidden' })
  await set({ hidden: false })
  await frame.getByTestId('chat-answer').waitFor()
  const keepsSession = (isKept: boolean) =>
    page.waitForFunction(([key, wanted]) => (localStorage.getItem(key) ?? '').includes('s1') === wanted, [
      `mangaassist:${server.url}`,
      isKept,
    ] as const)
  await keepsSession(true)
  await set({ getToken: null })
  await frame.getByTestId('chat-answer').waitFor({ state: 'detached' })
  await keepsSession(false)
  assert.deepEqual(complaints, [])
})

test('the module for a frame is loaded at a second try, and the page hears when there is none', async () => {
  let isGone = false
  await using setting = await visitFramed(browser, {
    prepare: (page) =>
      page.route('**/widget/frame-*', (route) =>
        !isGone && route.request().url().includes('again') ? route.continue() : route.abort(),
      ),
  })
  const { server, page, frame, complaints } = setting
  await frame.getByTestId('chat-launcher').waitFor()
  assert.deepEqual(complaints, [])

  isGone = true
  await page.reload()
  assert.deepEqual(await setting.received(1), [['error', { reason: 'panel-unavailable' }]])
  await setting.complained(new RegExp(`MangaAssist: ${server.url} could not be reached`))
})
