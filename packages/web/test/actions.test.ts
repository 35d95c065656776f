// What a shopper does with an answer, on the built page in a real browser: copy, ask again, edit, stop and continue, compare, add
// to the cart, wait for a limit; on desktop and phone, in both languages.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { axeProblems } from './axe.ts'
import { launchBrowser, visit } from './browser.ts'
import type { Visit } from './browser.ts'
import { cards } from './fake-api.ts'
import { startFakeServer, streaming } from './fake-server.ts'
import type { FakeServer, Script } from './fake-server.ts'

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
})
afterEach(async () => {
  await visited.close()
  await server.close()
})

const find = (id: string): Locator => page.getByTestId(`chat-${id}`)
/** Resolves when it has the focus, which follows the update of the panel. */
const focused = (part: Locator): Promise<void> => part.and(page.locator(':focus')).waitFor()
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'en-US' }

async function open(options: BrowserContextOptions = {}): Promise<void> {
  visited = await visit(browser, options)
  page = visited.page
  await page.goto(options.locale === 'en-US' ? `${server.url}/en/` : server.url)
  await find('launcher').waitFor()
  await page.evaluate(() => document.querySelector('manga-assist')?.setAttribute('cart', ''))
  await find('launcher').click()
  await find('input').waitFor()
}

async function ask(question: string): Promise<void> {
  await find('input').fill(question)
  await find('input').press('Enter')
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  assert.ok(box !== null)
  return box
}

const withCards: Script = streaming('次の2作品はいかがでしょう。', {
  meta: { products: cards(['akira', 'berserk'], 'ja'), tier: 'primary' },
})

const stoppable: Script = async (turn) => {
  turn.meta()
  turn.text('途中まで')
  await turn.stopped
  turn.done({ finishReason: 'stopped' })
}

test('an answer is copied with its titles, asked again, and says what kind it is and when it was asked', async () => {
  server.script = withCards
  await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  await ask('進撃の巨人が好きなら？')
  await find('action-copy').click()
  await find('action-note').filter({ hasText: 'コピーしました。' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(
    copied,
    `次の2作品はいかがでしょう。\n\nAKIRA ${server.url}/series/akira\nベルセルク ${server.url}/series/berserk`,
  )
  assert.equal(await find('origin').innerText(), 'AIモデルによる回答')
  assert.match((await find('time').getAttribute('datetime')) ?? '', /^\d{4}-/)
  await page.mouse.move(0, 0)
  assert.equal(await find('time').isVisible(), true, 'the focus is in this exchange')
  server.script = streaming('別の回答です。')
  await find('action-askAgain').click()
  await find('answer').filter({ hasText: '別の回答です。' }).waitFor()
  assert.deepEqual(
    server.asked.map(({ message, replaces }) => [message, replaces]),
    [
      ['進撃の巨人が好きなら？', undefined],
      ['進撃の巨人が好きなら？', 't1'],
    ],
  )
  assert.equal(await find('exchange').count(), 1)
  await find('earlier').locator('summary').click()
  await find('earlier').getByText('次の2作品はいかがでしょう。').waitFor()
  assert.deepEqual(visited.complaints, [])
})

test('in English an answer is copied with the addresses of the English pages, and its links follow the language', async () => {
  server.script = streaming('See [Akira](/series/akira) or /support.', { meta: { products: cards(['akira'], 'en') } })
  await open({ locale: 'en-US', permissions: ['clipboard-read', 'clipboard-write'] })
  await ask('Akira?')
  await find('action-copy').click()
  await find('action-note').filter({ hasText: 'Copied.' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, `See Akira or /support.\n\nAkira ${server.url}/en/series/akira`)
  const links = () =>
    page
      .locator('[data-testid=chat-answer] a, [data-testid=chat-card] a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  const paths = ['/series/akira', '/support', '/series/akira']
  assert.deepEqual(
    await links(),
    paths.map((path) => `${server.url}/en${path}`),
  )
  await find('language').click()
  await find('answer').locator(`a[href="${server.url}/support"]`).waitFor()
  assert.deepEqual(
    await links(),
    paths.map((path) => server.url + path),
  )
  assert.deepEqual(visited.complaints, [])
})

test('a question is edited in place: Escape cancels, an Enter of the input method does not send, Enter does', async () => {
  server.script = streaming('はい。')
  await open()
  await ask('一つ目')
  await find('edit').waitFor()
  await find('input').fill('書きかけ')
  await find('edit').click()
  const field = find('edit-field')
  await focused(field)
  await field.fill('消える')
  await field.press('Escape')
  assert.equal(await find('question').innerText(), '一つ目')
  await focused(find('edit'))
  await find('edit').press('Enter')
  await field.fill('二つ目')
  await field.evaluate((element) => {
    const tell = (event: Event): boolean => element.dispatchEvent(event)
    tell(new CompositionEvent('compositionstart', { bubbles: true }))
    tell(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))
    tell(new CompositionEvent('compositionend', { data: '二つ目', bubbles: true }))
    tell(new KeyboardEvent('keyup', { key: 'Enter', bubbles: true }))
  })
  assert.equal(server.asked.length, 1)
  server.script = streaming('二つ目の回答です。')
  await field.press('Enter')
  await find('answer').filter({ hasText: '二つ目の回答です。' }).waitFor()
  await find('earlier').waitFor()
  assert.deepEqual([server.asked[1]?.message, server.asked[1]?.replaces], ['二つ目', 't1'])
  assert.equal(await find('question').innerText(), '二つ目')
  assert.equal(await find('input').inputValue(), '書きかけ', 'the draft below the log stays')
})

test('after a stop the answer continues in its place, on a phone in English', async () => {
  server.script = stoppable
  await open(phone)
  await ask('How long is it?')
  await find('answer').waitFor()
  await find('stop').click()
  await find('go-on').waitFor()
  await find('action-copy').waitFor()
  for (const button of await page.locator('.exchange button:visible, [data-testid=chat-form] button:visible').all()) {
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
    assert.ok(width >= 44 && height >= 44, `a finger can hit it: ${await button.innerHTML()} ${width} × ${height}`)
  }
  assert.equal(await find('time').isVisible(), false)
  await find('answer').tap()
  await find('time').waitFor()
  assert.equal(await find('retry').innerText(), 'Ask again')
  server.script = streaming('途中まで、そして最後まで。')
  await find('go-on').tap()
  await find('answer').filter({ hasText: 'そして最後まで。' }).waitFor()
  assert.deepEqual([server.asked[1]?.continues, await find('exchange').count()], ['t1', 1])
  assert.equal(await find('earlier').count(), 0)
  assert.deepEqual(visited.complaints, [])
})

test('two cards are compared in a table, and a volume is put into the page’s cart', async () => {
  server.script = withCards
  await open()
  await ask('進撃の巨人が好きなら？')
  await find('compare-toggle').first().click()
  await find('compare-hint').waitFor()
  await find('compare-toggle').nth(1).click()
  // Below the cards by the keyboard: a log that is scrolled to its end grows by the height of the button that leads there, and an
  // element that moves between the press and the release of a mouse is not clicked.
  await find('compare').press('Enter')
  const table = page.getByRole('table', { name: '作品の比較' })
  await table.waitFor()
  assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), ['AKIRA', 'ベルセルク'])
  const total = table.getByRole('row', { name: /全巻の価格/ })
  assert.deepEqual(await total.getByRole('cell').allInnerTexts(), ['6,600円', '36,960円'])
  await page.evaluate(() =>
    document.addEventListener('manga-assist-cart', (event) => {
      const { detail } = event as CustomEvent<{ productId: string; volume: number; quantity: number; done: unknown }>
      event.preventDefault()
      document.body.dataset['cart'] = JSON.stringify(detail)
      const href = detail.volume === 4 ? 'https://evil.example/' : '/my/cart'
      ;(detail.done as (result: object) => void)({ ok: true, href })
    }),
  )
  await find('volume').first().selectOption('3')
  await find('add-to-cart').first().click()
  await find('cart-note').filter({ hasText: '3巻をカートに入れました。' }).waitFor()
  assert.deepEqual(JSON.parse((await page.locator('body').getAttribute('data-cart')) ?? ''), {
    productId: 'akira',
    volume: 3,
    quantity: 1,
  })
  assert.equal(await find('cart-link').innerText(), 'カートを見る')
  assert.equal(await find('cart-link').getAttribute('href'), `${server.url}/my/cart`)
  assert.deepEqual(await axeProblems(page, 'manga-assist', '[data-testid=chat-panel]'), [])
  await find('volume').first().selectOption('4')
  await find('add-to-cart').first().click()
  await find('cart-note').filter({ hasText: '4巻をカートに入れました。' }).waitFor()
  assert.equal(await find('cart-link').count(), 0, 'no link to another host')
  server.script = streaming('長さが違います。')
  await find('compare-ask').press('Enter')
  await find('answer').nth(1).waitFor()
  assert.equal(server.asked[1]?.message, '『AKIRA』と『ベルセルク』の違いを教えてください')
  assert.deepEqual(visited.complaints, [])
})

for (const [name, options] of [
  ['a phone with little height', { ...phone, viewport: { width: 390, height: 560 }, locale: 'ja-JP' }],
  ['a desktop', { viewport: { width: 1280, height: 800 } }],
] as const)
  test(`on ${name} the comparison of the first two of three cards is offered in view, and begins with its titles`, async () => {
    server.script = streaming('次の3作品はいかがでしょう。', {
      meta: { products: cards(['akira', 'berserk', 'monster'], 'ja'), tier: 'primary' },
    })
    await open(options)
    await ask('進撃の巨人が好きなら？')
    await find('compare-toggle').nth(2).waitFor()
    const log = await boxOf(find('log'))
    for (const index of [0, 1]) await find('compare-toggle').nth(index).click()
    await find('compare').waitFor()
    const { y, height } = await boxOf(find('compare'))
    assert.ok(y >= log.y && y + height <= log.y + log.height, 'in view without scrolling')
    // A reader who was taken to the end of the log is not kept there.
    await find('log').evaluate((element) => element.scrollTo({ top: element.scrollHeight, behavior: 'instant' }))
    await find('compare').click()
    await find('compare-table').waitFor()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    // The log is scrolled when the sizes are known, after the table is there.
    const titles = await page.getByRole('columnheader', { name: 'ベルセルク' }).elementHandle()
    await page.waitForFunction(
      ([shown, { y, height }]) => {
        const box = shown?.getBoundingClientRect()
        return box !== undefined && box.top >= y && box.bottom <= y + height
      },
      [titles, log] as const,
    )
    await focused(page.getByRole('region', { name: '作品の比較' }))
    assert.deepEqual(await axeProblems(page, 'manga-assist', '[data-testid=chat-panel]'), [])
    assert.deepEqual(visited.complaints, [])
  })

test('a cart that refuses is shown on the card, and a card follows the language', async () => {
  const products = cards(['akira'], 'ja').map((card) => ({
    ...card,
    authors: { ja: '大友克洋', en: 'Katsuhiro Otomo' },
  }))
  server.script = streaming('AKIRAです。', { meta: { products } })
  await open({ ...phone, locale: 'ja-JP', colorScheme: 'dark' })
  await ask('AKIRA')
  await find('card').getByText('大友克洋').waitFor()
  assert.equal(await find('compare-toggle').count(), 0, 'one alone cannot be compared')
  await find('menu').click()
  await find('menu-language').click()
  await find('card').getByText('Katsuhiro Otomo').waitFor()
  await find('add-to-cart').press('Enter')
  // The fake server has no cart.
  await page.locator('[data-testid=chat-cart-note].failed').waitFor()
  // Enter tries again.
  await focused(find('add-to-cart'))
  assert.notEqual(await find('cart-note').innerText(), '')
  assert.deepEqual(await axeProblems(page, 'manga-assist', '[data-testid=chat-panel]'), [])
})

test('a refused question is a draft with a countdown, survives a reload, and is sent by a tap', async () => {
  server.script = (turn) =>
    turn.send({
      type: 'error',
      turnId: turn.turnId,
      code: 'RATE_LIMITED',
      message: '少しお待ちください。',
      retryAfterMs: 20_000,
    })
  await open()
  // The countdown ends when the test says so, however long the checks before take.
  await page.clock.install()
  await ask('もう一つ')
  await find('limit').filter({ hasText: '少しお待ちください。' }).waitFor()
  assert.equal(await find('exchange').count(), 0)
  assert.equal(await find('input').inputValue(), 'もう一つ')
  assert.equal(await find('send').isDisabled(), true)
  assert.deepEqual(await axeProblems(page, 'manga-assist', '[data-testid=chat-panel]'), [])
  await page.clock.fastForward(20_000)
  await find('wait').filter({ hasText: '送信できます。' }).waitFor()
  server.script = streaming('はい。')
  await page.reload()
  await find('input').waitFor()
  assert.equal(await find('input').inputValue(), 'もう一つ')
  await find('send').click()
  await find('answer').waitFor()
  assert.equal(await find('input').inputValue(), '')
  await find('input').fill('あ'.repeat(4990))
  assert.equal(await find('room').innerText(), 'あと10文字')
})

test('while the connection is lost, nothing claims that the answer is being made', async () => {
  server.script = (turn) => turn.meta()
  await open()
  await ask('a')
  await find('waiting').filter({ hasText: 'もう少しお待ちください' }).waitFor()
  await page.context().setOffline(true)
  await find('notice').filter({ hasText: '接続が切れました' }).waitFor()
  await find('waiting').filter({ hasText: '接続が戻りしだい' }).waitFor()
  assert.equal(await find('waiting').innerText(), '接続が戻りしだい、続きをお届けします。')
})

test('an answer is read aloud and stopped, and a question is spoken, where the browser can', async () => {
  server.script = streaming('はい、あります。')
  visited = await visit(browser)
  page = visited.page
  await page.addInitScript(`
    const spoken = [];
    const voices = [{ lang: 'ja-JP', default: true }];
    window.spoken = spoken;
    Object.defineProperty(window, 'speechSynthesis', { value: {
      getVoices: () => voices, speak: (one) => spoken.push(one.text), cancel: () => spoken.push('(cancel)'),
      addEventListener() {}, removeEventListener() {},
    } });
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } };
    window.webkitSpeechRecognition = undefined;
    window.SpeechRecognition = class {
      start() { window.recognition = this }
      stop() { this.onend() }
      abort() {}
    };`)
  await page.goto(server.url)
  await find('launcher').click()
  await find('voice').click()
  await page.getByRole('button', { name: '音声入力を終える' }).waitFor()
  await page.evaluate(
    `recognition.onresult({ results: [[{ transcript: 'AKIRAは' }], [{ transcript: 'ありますか' }]] })`,
  )
  assert.equal(await find('input').inputValue(), 'AKIRAはありますか')
  await find('voice').click()
  await find('voice').click()
  await page.evaluate(`recognition.onerror({ error: 'not-allowed' }); recognition.onend()`)
  await find('voice-problem').filter({ hasText: 'マイクを使えませんでした' }).waitFor()
  await find('send').click()
  await find('action-readAloud').click()
  await find('action-readStop').click()
  await find('action-readAloud').waitFor()
  assert.deepEqual(await page.evaluate('spoken'), ['はい、あります。', '(cancel)'])
  assert.deepEqual(visited.complaints, [])
})

test('a person is asked for: what is passed on is shown first, then the state of the request', async () => {
  server.script = (turn) => {
    turn.meta({ tier: 'message', contact: '窓口 support@shop.example' })
    turn.text('ただいまお答えできません。')
    turn.done({ tier: 'message' })
  }
  await open({ viewport: { width: 360, height: 740 } })
  await ask('人間と話したい')
  await find('person-offer').getByText('窓口 support@shop.example').waitFor()
  await find('person-open').click()
  const person = page.getByRole('region', { name: '担当者への引き継ぎ' })
  await person.getByText('この会話のやりとり（1件）').waitFor()
  await person.getByText('ご注文番号：123').waitFor()
  assert.deepEqual(server.calls, [], 'nothing is passed on before the shopper confirms')
  await find('person-email').fill('reader')
  await find('person-send').click()
  await find('person-problem').filter({ hasText: 'メールアドレスをご確認ください。' }).waitFor()
  assert.deepEqual(await axeProblems(page, 'manga-assist', '[data-testid=chat-panel]'), [])
  await find('person-email').fill('reader@example.com')
  await find('person-email').press('Enter')
  await find('person-state').filter({ hasText: '受け付けました。' }).waitFor()
  assert.deepEqual(server.calls, [
    ['/api/sessions/s1/handover', { language: 'ja', email: 'reader@example.com', orderNumber: '123' }],
  ])
  await find('person-close').click()
  await find('person').waitFor({ state: 'detached' })
  await find('new').click()
  await find('menu').click()
  await find('menu-person').click()
  await person.getByText('ご質問をお送りいただくと').waitFor()
  assert.deepEqual(visited.complaints, [])
})
