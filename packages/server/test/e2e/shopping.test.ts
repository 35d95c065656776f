// A shopper buys in the demo, in a real Chromium against a real server that is killed in between: the cart of a guest, from a series
// page and from a card of the chat, follows the sign-in, becomes an order, and nothing of it is lost. Also without a script.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { openBrowser } from './browser.ts'
import { axeProblems } from './console-visit.ts'
import { launch, startServer, temporaryFolder } from './server-process.ts'

/** What a browser logs while there is no server, and for the member's conversation after the sign-out. */
const OF_THE_KILL = /^(?:WebSocket connection to|Failed to load resource)/
const DEMO = { MANGA_DEMO: 'true' }

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const { path: dataDir } = opened.use(await temporaryFolder())

const inCart = (page: Page, count: number) => page.locator(`[data-testid=cart-link][data-count="${count}"]`).waitFor()

test('a guest fills a cart from a page and from the chat, signs in, orders, and a killed server loses nothing', async (context) => {
  const first = opened.use(await startServer({ dataDir, env: DEMO }))
  const { port } = new URL(first.address)
  const { page, problems } = await openBrowser(context)
  await page.goto(`${first.address}/series/berserk`)
  await page.getByTestId('buy').getByRole('combobox').selectOption('2')
  await page.getByTestId('add-to-cart').click()
  await page.getByRole('status').getByText('カートに入れました（1冊）').waitFor()
  await inCart(page, 1)

  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('スラムダンクはありますか')
  await page.getByTestId('chat-input').press('Enter')
  await page.getByTestId('chat-add-to-cart').first().click()
  await inCart(page, 2)
  await page.getByTestId('chat-cart-link').click()
  await page.waitForURL('**/cart')
  await page.getByTestId('cart-line').nth(1).waitFor()

  const { child } = first
  child.kill('SIGKILL')
  await waitUntil('the server is gone', () => child.signalCode !== null)
  const second = opened.use(await startServer({ dataDir, env: { ...DEMO, PORT: port } }))
  assert.equal(second.address, first.address)

  await page.goto(`${second.address}/sign-in`)
  await page.getByTestId('sign-in-natsu').click()
  await page.waitForURL('**/cart')
  assert.equal(await page.getByTestId('cart-line').count(), 2)
  await page.getByRole('link', { name: 'カート（2点）' }).waitFor()
  assert.deepEqual(await axeProblems(page), [], 'the cart')
  assert.equal(await page.getByTestId('account').getAttribute('aria-label'), '会員ページ: 木村 なつ')
  assert.doesNotMatch(await page.evaluate<string>('document.cookie'), /ma_member/, 'no script can read the token')
  await page.getByTestId('to-checkout').click()
  await page.getByTestId('place-order').waitFor()
  assert.equal(await page.getByTestId('demo-note').count(), 1)
  assert.deepEqual(await axeProblems(page), [], 'the checkout')
  await page.getByTestId('place-order').click()
  await page.getByTestId('order-placed').waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await axeProblems(page), [], 'the order, dark')
  assert.equal(await page.getByTestId('order-lines').locator('li').count(), 2)
  await inCart(page, 0)

  await page.goto(`${second.address}/orders`)
  // Two more are samples.
  assert.equal(await page.getByTestId('order').count(), 3)
  assert.deepEqual(await axeProblems(page), [], 'the orders')
  const other = await openBrowser(context)
  await other.page.goto(`${second.address}/en/sign-in`)
  assert.match(await other.page.getByTestId('demo-note').innerText(), /other visitors do not see them/)
  await other.page.getByTestId('sign-in-natsu').click()
  await other.page.waitForURL('**/cart')
  await other.page.goto(`${second.address}/orders`)
  assert.equal(await other.page.getByTestId('order').count(), 2, 'another visitor has the samples alone')
  await page.goto(`${second.address}/sign-in`)
  assert.match(await page.getByTestId('demo-note').innerText(), /ほかの訪問者には見えません/)
  assert.deepEqual(await axeProblems(page), [], 'the sign-in')
  await page.getByTestId('sign-out').click()
  await page.getByTestId('signed-in').waitFor({ state: 'detached' })
  await page.goto(`${second.address}/orders`)
  await page.getByTestId('no-orders').waitFor()
  await page.goto(`${second.address}/sign-in`)
  await page.getByTestId('sign-in-natsu').click()
  await page.waitForURL('**/cart')
  await page.goto(`${second.address}/orders`)
  assert.equal(await page.getByTestId('order').count(), 3, 'the same visitor finds the order again')
  assert.deepEqual(
    problems.filter((text) => !OF_THE_KILL.test(text)),
    [],
  )
})

test('on a phone the account is in the head and the foot, which say who is signed in, and the cart offers no second sign-in', async (context) => {
  const { path } = opened.use(await temporaryFolder())
  const server = opened.use(await startServer({ dataDir: path, env: DEMO }))
  const { page, problems } = await openBrowser(context, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto(server.address)
  const foot = page.getByTestId('foot-links')
  assert.deepEqual(await foot.getByRole('link').allInnerTexts(), ['ご利用案内', 'ご注文履歴', 'ログイン（デモ）'])
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const link of ['account', 'cart-link', 'language']) {
      const { x, width: wide } = (await page.getByTestId(link).boundingBox()) ?? { x: -1, width: 0 }
      assert.ok(x >= 0 && x + wide <= width, `${link} at ${width} px`)
    }
  }
  assert.deepEqual(
    await page
      .getByTestId('row-coming')
      .locator('.stock')
      .evaluateAll((all) => [...new Set(all.map((one) => one.textContent))]),
    ['発売前'],
    'a volume that is not out is not in stock',
  )
  await page.getByTestId('account').tap()
  await page.getByTestId('tier').first().waitFor()
  assert.deepEqual(await page.getByTestId('tier').allInnerTexts(), [
    '会員ランク: 無料会員',
    '会員ランク: スタンダード会員',
    '会員ランク: プレミアム会員',
  ])
  await page.getByTestId('sign-in-natsu').tap()
  await page.waitForURL('**/cart')
  const own = ['ご注文履歴', 'ログイン中の会員: 木村 なつ']
  assert.deepEqual(await page.getByTestId('own-links').getByRole('link').allInnerTexts(), own)
  assert.deepEqual(await foot.getByRole('link').allInnerTexts(), ['ご利用案内', ...own])
  assert.equal(await page.getByTestId('account').getAttribute('aria-label'), '会員ページ: 木村 なつ')
  assert.deepEqual(await axeProblems(page), [])
  await foot.getByRole('link', { name: 'ご注文履歴' }).tap()
  await page.waitForURL('**/orders')
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.equal(await page.getByTestId('account').innerText(), '木村 なつ')
  assert.deepEqual(problems, [])
})

test('without a script a shopper adds, changes, removes and orders by forms, in English on a phone', async (context) => {
  const { path } = opened.use(await temporaryFolder())
  const server = opened.use(await startServer({ dataDir: path, env: DEMO }))
  const phone = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false, locale: 'en-GB' }
  const { page } = await openBrowser(context, phone)
  await page.goto(`${server.address}/en/series/nana`)
  await page.getByTestId('buy').getByRole('combobox').selectOption('all')
  await page.getByTestId('add-to-cart').click()
  await page.waitForURL('**/en/cart')
  const lines = page.getByTestId('cart-line')
  const count = await lines.count()
  assert.ok(count > 5)
  const fitting = await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
  assert.ok(fitting, 'nothing is wider than the phone')
  await lines.first().getByTestId('remove').click()
  await lines.nth(count - 1).waitFor({ state: 'detached' })
  await page.getByTestId('to-checkout').click()
  await page.getByTestId('place-order').click()
  await page.getByTestId('order-placed').waitFor()
  assert.equal(await page.getByTestId('order-lines').locator('li').count(), count - 1)
})

test('a shopper whose cookies are gone reads so once, and adds with the next press, with a script and without', async (context) => {
  const { path } = opened.use(await temporaryFolder())
  const server = opened.use(await startServer({ dataDir: path, env: DEMO }))
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openBrowser(context, { javaScriptEnabled, locale: 'en-GB' })
    const address = `${server.address}/en/series/nana`
    await page.goto(address)
    await page.context().clearCookies()
    await page.getByTestId('add-to-cart').click()
    await page.getByText('Please allow cookies for this shop and try again.').waitFor()
    if (!javaScriptEnabled) await page.goto(address)
    await page.getByTestId('add-to-cart').click()
    await inCart(page, 1)
  }
})

test('a server without any configuration is a demo and says so in a line; a setting ends that', async () => {
  const { path } = opened.use(await temporaryFolder())
  // The variables that tests usually set are settings, too.
  const env = { MANGA_SERVER__LOGLEVEL: undefined, MANGA_ANSWERS__FIRSTWORDMS: undefined }
  const { child, exited, ready, stdout } = launch({ dataDir: path, env })
  opened.defer(() => void child.kill('SIGKILL'))
  const address = (await ready) ?? ''
  assert.equal((await fetch(`${address}/sign-in`, { headers: { accept: 'text/html' } })).status, 200)
  assert.equal(stdout().match(/^This is a demo: .*$/gm)?.length, 1)
  child.kill('SIGTERM')
  await exited
})

test('the demo is refused beside an issuer, and a shop without it has neither sign-in nor checkout', async () => {
  const { path } = opened.use(await temporaryFolder())
  const issuer = { issuer: 'https://id.shop.example', audience: 'x', jwksUrl: 'https://id.shop.example/keys' }
  const env = { ...DEMO, MANGA_AUTH__ISSUERS: JSON.stringify([issuer]) }
  const { exited, ready, stderr } = launch({ dataDir: path, env })
  assert.equal(await ready, undefined)
  assert.notEqual((await exited).code, 0)
  assert.match(stderr(), /--demo[^\n]*auth\.issuers\[0\]/)
  const shop = opened.use(await startServer({ dataDir: path }))
  for (const page of ['/sign-in', '/orders', '/checkout'])
    assert.equal((await fetch(shop.address + page, { headers: { accept: 'text/html' } })).status, 404, page)
  assert.equal((await fetch(`${shop.address}/cart`, { headers: { accept: 'text/html' } })).status, 200)
})
