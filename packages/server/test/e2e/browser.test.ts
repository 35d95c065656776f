// The storefront in a real Chromium against the real server: what a shopper does, on a desktop and on a phone.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { cuttableLine } from '#fixtures/stores/cuttable-line.ts'
import { cardsShown, openBrowser } from './browser.ts'
import { SLOWLY, startServer, temporaryFolder } from './server-process.ts'

const QUESTION = '進撃の巨人が好きなら次は何を読む？'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** No cache: every guest asks the same, and a cached answer would come at once. */
const ALWAYS_SLOWLY = { ...SLOWLY, MANGA_ANSWERS__FRESHMS: '1', MANGA_ANSWERS__FOLLOWMS: '1' }

/** A page of another site. */
const host = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><html lang="ja"><title>よその店</title><h1>よその店</h1><script src="${server.address}/widget.js" async></script>`,
  )
})
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
const origin = `http://localhost:${(host.address() as AddressInfo).port}`

// Two servers for all tests; each test is a guest of its own.
const opened = new AsyncDisposableStack()
opened.defer(() => void host.close())
after(() => opened.disposeAsync())
const start = async (env: Readonly<Record<string, string>>) =>
  opened.use(await startServer({ dataDir: opened.use(await temporaryFolder()).path, env }))
const [server, slow] = await Promise.all([start({ MANGA_SERVER__ALLOWEDORIGINS: origin }), start(ALWAYS_SLOWLY)])

async function openChat(page: Page) {
  await page.getByTestId('chat-launcher').click()
  const input = page.getByTestId('chat-input')
  await input.waitFor()
  return input
}

const lastAnswer = (page: Page) => page.getByTestId('chat-exchange').last().getByTestId('chat-answer')
const ended = (page: Page, count: number) =>
  page
    .locator('[data-testid=chat-exchange][data-phase=ended]')
    .nth(count - 1)
    .waitFor()

for (const [device, options] of [
  ['a desktop', {}],
  ['a phone', PHONE],
] as const) {
  test(`on ${device} a shopper asks, sees words and cards, follows up, and finds it all again after a reload`, async (context) => {
    const { page, problems } = await openBrowser(context, options)
    await page.goto(server.address)
    const input = await openChat(page)
    await input.fill(QUESTION)
    await input.press('Enter')
    await ended(page, 1)
    assert.match((await lastAnswer(page).textContent()) ?? '', /『進撃の巨人』/u)
    await cardsShown(page, 3)
    assert.match((await page.getByTestId('chat-card').first().textContent()) ?? '', /円/u)

    // By the keyboard: the log may still scroll to the answer's first line, and a click would miss.
    await page.getByTestId('chat-thumb-down').press('Enter')
    await page.getByTestId('chat-reason-field').fill('長いものばかり')
    const saved = page.waitForResponse('**/feedback')
    await page.getByTestId('chat-reason-send').click()
    assert.equal((await saved).status(), 200)

    await input.fill('もっと短いのは？')
    await input.press('Enter')
    await ended(page, 2)
    await cardsShown(page, 6)

    await page.reload()
    await ended(page, 2)
    assert.equal(await page.getByTestId('chat-question').count(), 2)
    await cardsShown(page, 6)
    const pressed = page.locator('[data-testid^=chat-thumb][aria-pressed=true]')
    assert.deepEqual([await pressed.count(), await pressed.getAttribute('data-testid')], [1, 'chat-thumb-down'])
    const reported = page.waitForResponse('**/opened')
    await page.getByTestId('chat-card').last().getByRole('link').click()
    assert.equal((await reported).status(), 200)
    await page.waitForURL('**/series/*')
    assert.deepEqual(problems, [])
  })
}

test('Enter that ends a composition does not send; the next one does', async (context) => {
  const { page, problems } = await openBrowser(context)
  await page.goto(server.address)
  const input = await openChat(page)
  // The events of an input method: a composition in which Enter chooses a candidate.
  await input.evaluate((element) => {
    // Runs in the page, whose types the server's tests do not have.
    type MakeEvent = new (type: string, init: object) => Event
    const { CompositionEvent, InputEvent, KeyboardEvent } = globalThis as unknown as Record<string, MakeEvent>
    const field = element as unknown as { value: string; focus(): void; dispatchEvent(event: Event | undefined): void }
    const fire = (Make: MakeEvent | undefined, type: string, init: object = {}) =>
      field.dispatchEvent(Make && new Make(type, { bubbles: true, composed: true, cancelable: true, ...init }))
    field.focus()
    fire(CompositionEvent, 'compositionstart')
    field.value = '送料はいくらですか'
    fire(InputEvent, 'input', { isComposing: true })
    fire(KeyboardEvent, 'keydown', { key: 'Enter', isComposing: true, keyCode: 229 })
    fire(CompositionEvent, 'compositionend', { data: field.value })
    fire(KeyboardEvent, 'keyup', { key: 'Enter' })
  })
  assert.equal(await page.getByTestId('chat-question').count(), 0)
  await input.press('Enter')
  await ended(page, 1)
  assert.match((await lastAnswer(page).textContent()) ?? '', /500円/u)
  assert.deepEqual(problems, [])
})

test('a lost connection in mid-answer is shown calmly, and the rest arrives after the reconnect', async (context) => {
  await using line = await cuttableLine(slow.address)
  const { page } = await openBrowser(context)
  await page.goto(line.address)
  const input = await openChat(page)
  await input.fill(QUESTION)
  await input.press('Enter')
  await lastAnswer(page).getByText('進撃の巨人').first().waitFor()
  line.cut()
  await page.getByTestId('chat-notice').waitFor()
  line.mend()
  await ended(page, 1)
  await cardsShown(page, 3)
  assert.match((await lastAnswer(page).textContent()) ?? '', /[。？]\s*$/u)
})

test('stop ends the answer and keeps its text', async (context) => {
  const { page, problems } = await openBrowser(context)
  await page.goto(slow.address)
  const input = await openChat(page)
  await input.fill(QUESTION)
  await input.press('Enter')
  await lastAnswer(page).getByText('進撃の巨人').first().waitFor()
  await page.getByTestId('chat-stop').click()
  await ended(page, 1)
  await page.getByTestId('chat-end').waitFor()
  assert.deepEqual(problems, [])
})

test('the language can be switched for the store and the chat, and series pages and support work', async (context) => {
  const { page, problems } = await openBrowser(context)
  await page.goto(server.address)
  await page.getByTestId('book').first().waitFor()
  await page.getByTestId('language').click()
  await page.locator('html[lang=en]').waitFor()
  await page.goto(`${server.address}/series/shingeki-no-kyojin`)
  await page.getByTestId('series').getByText('Attack on Titan').first().waitFor()
  await page.goto(`${server.address}/support`)
  await page.getByTestId('faq').first().waitFor()
  const input = await openChat(page)
  await input.fill('something like Spy x Family but darker')
  await input.press('Enter')
  await ended(page, 1)
  assert.match((await lastAnswer(page).textContent()) ?? '', /Spy x Family/u)
  assert.deepEqual(problems, [])
})

test('one script tag puts the chat on a page of another site', async (context) => {
  const { page, problems } = await openBrowser(context)
  await page.goto(origin)
  const input = await openChat(page)
  await input.fill('送料はいくらですか')
  await input.press('Enter')
  await ended(page, 1)
  assert.match((await lastAnswer(page).textContent()) ?? '', /500円/u)
  const saved = page.waitForResponse('**/feedback')
  await page.getByTestId('chat-thumb-up').click()
  assert.equal((await saved).status(), 200)
  await page.reload()
  await ended(page, 1)
  assert.equal(await page.getByTestId('chat-thumb-up').getAttribute('aria-pressed'), 'true')
  assert.deepEqual(problems, [])
})
