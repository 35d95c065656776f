// The store in a real browser: finding a series, reading about it, asking about it, and failed requests.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'
import type { Visit } from './browser.ts'
import { startFakeServer } from './fake-server.ts'
import type { FakeServer } from './fake-server.ts'

let browser: Browser
let server: FakeServer
let visited: Visit
let page: Page

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())
beforeEach(async () => {
  server = await startFakeServer()
  visited = await visit(browser)
  page = visited.page
})
afterEach(async () => {
  assert.deepEqual(visited.complaints, [])
  await visited.close()
  await server.close()
})

const open = (path: string): Promise<unknown> => page.goto(server.url + path)
const books = () => page.getByTestId('book')

test('the shelves load page by page', async () => {
  await open('/')
  await books().first().waitFor()
  assert.equal(await books().count(), 24)
  await page.getByTestId('load-more').click()
  await books().nth(47).waitFor()
  assert.equal(await books().locator('svg.cover').count(), 48)
})

test('filters are in the address: they survive a reload, and back undoes them', async () => {
  await open('/')
  await page.getByRole('link', { name: 'スポーツ' }).or(page.locator('[data-genre=romance]')).first().click()
  await page.getByTestId('filter-status').selectOption('completed')
  await page.getByTestId('filter-in-stock').check()
  await page.waitForURL(/genre=romance&status=completed&inStock=true/)
  await page.reload()
  await books().first().waitFor()
  assert.equal(await page.getByTestId('filter-status').inputValue(), 'completed')
  assert.equal(await page.locator('[data-genre=romance]').getAttribute('aria-current'), 'true')
  assert.ok(server.requests.at(-1)?.includes('genre=romance&status=completed&inStock=true&limit=24'))
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('inStock'))
  assert.equal(await page.getByTestId('filter-in-stock').isChecked(), false)
})

test('a search that finds nothing offers the assistant', async () => {
  await open('/')
  await page.getByRole('searchbox').fill('存在しない作品')
  await page.getByRole('searchbox').press('Enter')
  await page.getByTestId('empty').waitFor()
  await page.getByTestId('empty').getByRole('button').click()
  assert.equal(await page.getByTestId('chat-input').inputValue(), '存在しない作品')
})

test('the page of a series describes it, and the assistant can be asked about it', async () => {
  await open('/series/akira')
  await page.getByRole('heading', { level: 1, name: 'AKIRA' }).waitFor()
  const text = await page.getByTestId('series').innerText()
  for (const fact of [
    '大友克洋',
    'ヤングマガジン',
    '1982年',
    '全6巻',
    '完結',
    '青年',
    'サイバーパンク',
    '1,100円',
    '残り3点',
    'ネオ東京',
  ]) {
    assert.ok(text.includes(fact), fact)
  }
  assert.match(await page.title(), /AKIRA/)
  assert.ok((await page.getByTestId('similar').getByTestId('book').count()) > 0)
  await page.getByTestId('ask-about-this').click()
  await page.getByTestId('chat-input').waitFor()
  assert.equal(server.asked.length, 0)
})

test('the questions on a series page are asked at once, with the series', async () => {
  await open('/series/akira')
  const questions = page.getByTestId('ask-question')
  await questions.first().waitFor()
  assert.deepEqual(await questions.allInnerTexts(), ['どんな人に合う？', '読む順番', '似た作品'])
  await questions.nth(1).click()
  await page.locator('[data-testid=chat-exchange][data-phase=ended]').waitFor()
  await page.getByTestId('chat-close').click()
  await page.getByTestId('language').click()
  await page.getByRole('button', { name: 'Who would enjoy it?' }).click()
  await page.locator('[data-testid=chat-exchange][data-phase=ended]').nth(1).waitFor()
  const asked = server.asked.map(({ message, interfaceLanguage, page: from }) => [message, interfaceLanguage, from])
  const from = { productId: 'akira', path: '/series/akira' }
  assert.deepEqual(asked, [
    ['『AKIRA』はどの順番で読めばいいですか？', 'ja', from],
    ['Who would enjoy “Akira”?', 'en', from],
  ])
})

test('back restores the shelves and their scroll position', async () => {
  await open('/')
  await books().first().waitFor()
  await page.getByTestId('load-more').click()
  await books().nth(40).waitFor()
  await books().nth(40).scrollIntoViewIfNeeded()
  const y = await page.evaluate(() => window.scrollY)
  await books().nth(40).getByRole('link').click()
  await page.getByTestId('series').waitFor()
  assert.equal(await page.evaluate(() => window.scrollY), 0)
  await page.goBack()
  await books().nth(40).waitFor()
  assert.ok(Math.abs((await page.evaluate(() => window.scrollY)) - y) < 5)
})

test('in English, all texts are English', async () => {
  await open('/series/akira')
  await page.getByTestId('language').click()
  await page.getByRole('heading', { level: 1, name: 'Akira' }).waitFor()
  await page.getByText('Katsuhiro Otomo').first().waitFor()
  const text = await page.getByTestId('series').innerText()
  for (const fact of ['6 vols', 'Completed', '¥1,100', 'Only 3 left', 'Tetsuo']) assert.ok(text.includes(fact), fact)
})

test('the store uses the browser’s language until the reader chooses another', async () => {
  const english = await visit(browser, { locale: 'en-GB' })
  await english.page.goto(server.url)
  await english.page.getByRole('link', { name: 'Support' }).waitFor()
  assert.equal(await english.page.locator('html').getAttribute('lang'), 'en')
  await english.page.getByTestId('language').click()
  await english.page.reload()
  await english.page.getByRole('link', { name: 'ご利用案内' }).waitFor()
  assert.equal(await english.page.locator('html').getAttribute('lang'), 'ja')
  await english.close()
})

for (const width of [320, 360]) {
  test(`a phone of ${width} px shows everything, and its language button can be tapped`, async () => {
    await page.setViewportSize({ width, height: 640 })
    for (const path of ['/', '/series/akira', '/support']) {
      await open(path)
      await page.locator('h1').first().waitFor()
      for (let turn = 0; turn < 2; turn += 1) {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(wide <= width, `${path}: ${wide}`)
        const language = await page.locator('html').getAttribute('lang')
        const box = await page.getByTestId('language').boundingBox()
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box))
        await page.getByTestId('language').click()
        assert.notEqual(await page.locator('html').getAttribute('lang'), language)
      }
    }
  })
}

test('a failed request can be tried again', async () => {
  server.broken = true
  await open('/')
  await page.getByTestId('error').waitFor()
  server.broken = false
  await page.getByTestId('retry').click()
  await books().first().waitFor()
})

test('the support page shows answers by topic and the contact', async () => {
  await open('/support')
  await page.getByTestId('faq').filter({ hasText: '送料はいくらですか' }).locator('summary').click()
  await page.getByText('3,000円以上で無料').waitFor()
  const contact = page.getByTestId('contact')
  assert.equal(await contact.getByRole('link').getAttribute('href'), 'mailto:support@shop.example')
  assert.ok((await contact.innerText()).includes('窓口 support@shop.example（10:00〜21:00）'))
})

test('an unknown address shows a note and a link to the store', async () => {
  for (const path of ['/nowhere', '/series/nothing-like-it']) {
    await open(path)
    await page.getByTestId('not-found').getByRole('link').click()
    await books().first().waitFor()
  }
})
