// What accompanies an answer, on the built page in a real browser: follow-up buttons, sources, titles and paths as links,
// and what a question says about its page.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'
import type { Visit } from './browser.ts'
import { cards } from './fake-api.ts'
import { startFakeServer, streaming } from './fake-server.ts'
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
  await visited.close()
  await server.close()
})

const find = (id: string): Locator => page.getByTestId(`chat-${id}`)
const ended = (): Locator => page.locator('[data-testid=chat-exchange][data-phase=ended]')
const at = '2026-11-04T03:00:00.000Z'
const suggestions = [
  { label: '全巻でいくら？', message: '『AKIRA』は全巻でいくらですか？' },
  { label: '似た作品', message: '『AKIRA』に似た作品は？' },
]

async function ask(question: string): Promise<void> {
  await page.locator('[data-testid=chat-launcher]:visible, [data-testid=chat-input]:visible').first().waitFor()
  if (await find('launcher').isVisible()) await find('launcher').click()
  await find('input').fill(question)
  await find('input').press('Enter')
}

test('a question says the page and the language of the interface, and wishes no language', async () => {
  server.script = streaming('はい。')
  await page.goto(`${server.url}/series/akira`)
  await ask('これは完結してる？')
  await ended().waitFor()
  await page.getByTestId('brand').click()
  await page.waitForURL(`${server.url}/`)
  await find('language').click()
  // The page follows the chat into the other language.
  await page.waitForURL(`${server.url}/en/`)
  await ask('SLAM DUNK')
  await ended().nth(1).waitFor()
  assert.deepEqual(
    server.asked.map(({ page: from, interfaceLanguage, language }) => [from, interfaceLanguage, language]),
    [
      [{ productId: 'akira', path: '/series/akira' }, 'ja', undefined],
      [{ path: '/en/' }, 'en', undefined],
    ],
  )
})

test('follow-ups below the last answer are chosen with the keyboard, and disappear with the next question', async () => {
  await page.goto(server.url)
  server.script = streaming('はい、全6巻です。', { meta: { suggestions } })
  await ask('AKIRAは？')
  await find('follow-up').nth(1).waitFor()
  assert.deepEqual(await find('follow-up').allInnerTexts(), ['全巻でいくら？', '似た作品'])
  for (const button of await find('follow-up').all())
    assert.ok(((await button.boundingBox())?.height ?? 0) >= 44, 'a finger can hit it')
  await page.getByRole('list', { name: '続けて質問する' }).waitFor()
  await find('announcer').filter({ hasText: '続けて選べる質問が2件あります。' }).waitFor({ state: 'attached' })
  const goOn = Promise.withResolvers<void>()
  server.script = async (turn) => {
    turn.meta()
    await goOn.promise
    turn.text('6,600円です。')
    turn.done()
  }
  await find('follow-up').first().focus()
  await page.keyboard.press('Enter')
  await find('question').nth(1).waitFor()
  await find('follow-up').first().waitFor({ state: 'detached' })
  assert.equal(await find('question').nth(1).innerText(), suggestions[0]?.message)
  // The focus is not lost with the button.
  await find('input').and(page.locator(':focus')).waitFor()
  goOn.resolve()
  await ended().nth(1).waitFor()
  assert.equal(server.asked[1]?.message, suggestions[0]?.message)
  assert.deepEqual(visited.complaints, [])
})

test('a reload restores follow-ups, sources and the way to a person', async () => {
  await page.goto(server.url)
  server.script = streaming('はい。')
  await ask('a')
  await ended().waitFor()
  const turn = { turnId: 't0', question: 'a', answer: 'AKIRAです。', language: 'ja', finishReason: 'stop' }
  const products = cards(['akira'], 'ja')
  const sources = [{ kind: 'product', id: 'akira', at }]
  server.session = {
    turns: [
      { ...turn, tier: 'embedded', products: [], suggestions: [{ label: '古い', message: '古い' }] },
      { ...turn, turnId: 't1', tier: 'embedded', products, suggestions, sources, contact: 'help@shop.example' },
    ],
  }
  await page.reload()
  await find('follow-up').first().waitFor()
  assert.deepEqual(await find('follow-up').allInnerTexts(), ['全巻でいくら？', '似た作品'])
  assert.match(await find('sources').innerText(), /^出典：当店の作品情報（11月4日 \d\d:\d\d時点の価格）$/)
  assert.match(await find('person-offer').innerText(), /help@shop\.example/)
  await find('person-open').click()
  await find('person').waitFor()
})

test('sources are one quiet line with links', async () => {
  await page.goto(server.url)
  const sources = [
    { kind: 'product' as const, id: 'akira', at },
    { kind: 'faq' as const, id: 'returns', at },
  ]
  server.script = streaming('はい。', { meta: { products: cards(['akira'], 'ja'), sources, tier: 'faq' } })
  await ask('a')
  await ended().waitFor()
  assert.match(await find('sources').innerText(), /^出典：当店の作品情報（11月4日 .+） · よくあるご質問$/)
  assert.equal(await find('origin').count(), 0, 'the FAQ is named once')
  const hrefs = await find('sources')
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  assert.deepEqual(hrefs, [`${server.url}/series/akira`, `${server.url}/support#returns`])
  await find('language').click()
  await find('sources')
    .filter({ hasText: /^\s*From: our catalogue, prices of 4 Nov, \d\d:\d\d · FAQ\s*$/ })
    .waitFor()
  await find('sources').getByRole('link', { name: 'FAQ' }).click()
  await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor()
})

test('titles and bare paths of the shop in an answer are links, once each and nowhere else', async () => {
  await page.goto(server.url)
  const text =
    '『AKIRA』とBerserkはいかがでしょう。AKIRAは全6巻です。`Berserk` も。\n\nお問い合わせは /support へ。/series/akira、example.com/support、/supporters。'
  server.script = streaming(text, { meta: { products: cards(['akira', 'berserk'], 'ja') } })
  await ask('a')
  await ended().waitFor()
  const links = find('answer').locator('a')
  assert.deepEqual(await links.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')])), [
    ['AKIRA', `${server.url}/series/akira`],
    ['Berserk', `${server.url}/series/berserk`],
    ['/support', `${server.url}/support`],
    ['/series/akira', `${server.url}/series/akira`],
  ])
  assert.equal(await find('answer').innerText(), text.replaceAll('`', ''))
  await links.nth(2).click()
  await page.getByRole('heading', { level: 1, name: 'ご利用案内' }).waitFor()
  assert.deepEqual(visited.complaints, [])
})

test('a card that stays when the language changes names its author in the new language', async () => {
  await page.goto(server.url)
  const [akira] = cards(['akira'], 'ja')
  assert.ok(akira !== undefined)
  const authors = { ja: '大友克洋', en: 'Katsuhiro Otomo' }
  server.script = streaming('はい。', { meta: { products: [{ ...akira, authors }] } })
  await ask('a')
  await find('card').filter({ hasText: '大友克洋' }).waitFor()
  await find('language').click()
  await find('card').filter({ hasText: 'Katsuhiro Otomo' }).waitFor()
})

test('on a phone of 320 px long follow-ups stay inside, and the field gets no focus', async () => {
  await visited.close()
  visited = await visit(browser, {
    viewport: { width: 320, height: 568 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
  })
  page = visited.page
  await page.goto(server.url)
  const label = 'Something shorter that is finished and not too frightening'
  server.script = streaming('Yes.', { meta: { suggestions: [{ label, message: label }] } })
  await ask('hello')
  const button = find('follow-up').first()
  await button.waitFor()
  const { x, width } = (await button.boundingBox()) ?? { x: -1, width: 0 }
  assert.ok(x >= 0 && x + width <= 320, `${x} ${width}`)
  await find('input').evaluate((field) => (field as HTMLElement).blur())
  await button.tap()
  await ended().nth(1).waitFor()
  assert.ok(!(await find('input').evaluate((field) => field.matches(':focus'))), 'no keyboard opens')
})
