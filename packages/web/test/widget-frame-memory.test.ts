// What the chat in a frame remembers where the browser denies storage to frames of other sites: the page keeps it, under the names of the
// element without a frame, and keeps nothing else for the frame.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { streaming } from './fake-server.ts'
import { visitFramed } from './framed-visit.ts'

let browser: Browser

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

/** As Safari, Firefox and Chromium do by their settings, whatever the settings of this browser are. */
function denyStorage(page: Page): Promise<unknown> {
  return page.context().addInitScript(() => {
    if (window.parent === window) return
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        configurable: true,
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
}

/** Resolves when the page has stored the guest and the conversation: the frame's messages arrive later than its answer is shown. */
const guestStored = (page: Page, entry: string) =>
  page.waitForFunction((key) => /guestToken.*s1|s1.*guestToken/.test(localStorage.getItem(key) ?? ''), entry)

const frameOf = (page: Page) => page.frames().find((one) => one.url().includes('/widget/frame'))

test('after a reload the same guest has the same conversation and draft', async () => {
  await using setting = await visitFramed(browser, { prepare: denyStorage })
  const { server, page, frame, complaints } = setting
  server.script = streaming('三十四巻です。')
  const first = page.waitForRequest('**/api/ticket')
  await frame.getByTestId('chat-launcher').click()
  await frame.getByTestId('chat-input').fill('何巻？')
  await frame.getByTestId('chat-send').click()
  await frame.locator('[data-phase=ended]').waitFor()
  assert.deepEqual((await first).postDataJSON(), {})
  await frame.getByTestId('chat-input').fill('では次に')
  const entry = `mangaassist:${server.url}`
  const stored = () => page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '{}') as object, entry)
  await guestStored(page, entry)
  const { guestToken } = (await stored()) as { guestToken?: string }
  assert.deepEqual(await stored(), { guestToken, sessionId: 's1' })
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), [entry])
  await page.waitForFunction((key) => sessionStorage.getItem(key) === 'では次に', `mangaassist:draft:${server.url}`)

  server.session = {
    turns: [
      {
        turnId: 't1',
        question: '何巻？',
        answer: '三十四巻です。',
        language: 'ja',
        products: [],
        finishReason: 'stop',
        at: '2026-11-18T00:00:00Z',
      },
    ],
  }
  const second = page.waitForRequest('**/api/ticket')
  await page.reload()
  assert.deepEqual((await second).postDataJSON(), { guestToken })
  // It was open: it is again.
  await frame.getByTestId('chat-answer').getByText('三十四巻です。').waitFor()
  assert.equal(await frame.getByTestId('chat-input').inputValue(), 'では次に')
  assert.deepEqual(complaints, [])
})

test('a choice of the reader in one tab reaches another, and is there after a reload', async () => {
  await using setting = await visitFramed(browser, { prepare: denyStorage, attributes: 'data-language="en"' })
  const { page, frame } = setting
  await frame.getByRole('button', { name: 'Ask us' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  const otherFrame = other.frameLocator('manga-assist iframe')
  await otherFrame.getByTestId('chat-launcher').click()
  await otherFrame.getByTestId('chat-menu').click()
  await otherFrame.getByTestId('chat-language').click()
  await frame.getByRole('button', { name: '相談する' }).waitFor()
  assert.deepEqual(await setting.received(2), [
    ['ready', null],
    ['language', { language: 'ja' }],
  ])
  await page.reload()
  await frame.getByRole('button', { name: '相談する' }).waitFor()
})

test('what the page has cleared, the frame does not bring back', async () => {
  await using setting = await visitFramed(browser, { prepare: denyStorage })
  const { server, page, frame } = setting
  server.script = streaming('はい。')
  const entry = `mangaassist:${server.url}`
  const stored = () => page.evaluate((key) => localStorage.getItem(key), entry)
  const ask = async (): Promise<void> => {
    await frame.getByTestId('chat-input').fill('ありますか？')
    await frame.getByTestId('chat-send').click()
    await frame.locator('[data-phase=ended]').last().waitFor()
  }
  await frame.getByTestId('chat-launcher').click()
  await ask()
  await guestStored(page, entry)
  const { guestToken } = JSON.parse((await stored()) ?? '{}') as { guestToken?: string }
  assert.match(guestToken ?? '', /^guest-/)
  await page.evaluate(() => localStorage.clear())
  // Each choice is remembered with all that is remembered.
  for (const language of ['ja', 'en']) {
    await frame.getByTestId('chat-language').click()
    await page.waitForFunction(
      (last) => JSON.stringify((globalThis as unknown as { received: unknown[] }).received.at(-1)).includes(last),
      `"language":"${language}"`,
    )
  }
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, entry)
  assert.doesNotMatch((await stored()) ?? '', /guest/)
})

test('a frame that wants more of the page’s storage than its own entries gets nothing', async () => {
  await using setting = await visitFramed(browser, {
    prepare: (page) => page.addInitScript(() => localStorage.setItem('cart', 'three books')),
  })
  const { server, page, frame } = setting
  await frame.getByTestId('chat-launcher').waitFor()
  const { url } = server
  await frameOf(page)?.evaluate((address) => {
    const keep = (message: object): void =>
      parent.postMessage({ mark: 'mangaassist-frame-1', type: 'keep', place: 'localStorage', ...message }, '*')
    keep({ key: 'cart', value: 'none' })
    keep({ key: 'cart', value: null })
    keep({ key: 'mangaassist:https://other.example', value: 'theirs' })
    keep({ key: 'mangaassist', value: 'of the shop’s own pages' })
    keep({ key: `mangaassist:long:${address}`, value: 'x'.repeat(30_000) })
    keep({ key: `mangaassist:object:${address}`, value: { toString: 'x' } })
    keep({ key: `mangaassist:place:${address}`, value: 'x', place: 'cookie' })
    for (let number = 0; number < 50; number += 1) keep({ key: `mangaassist:${number}:${address}`, value: 'x' })
    keep({ key: `mangaassist-open:${address}`, value: '1', place: 'sessionStorage' })
  }, url)
  await page.waitForFunction((key) => sessionStorage.getItem(key) === '1', `mangaassist-open:${url}`)
  const entries = await page.evaluate(() => Object.entries(localStorage) as [string, string][])
  assert.deepEqual(
    entries.filter(([, value]) => value !== 'x'),
    [['cart', 'three books']],
  )
  assert.equal(entries.length, 21)
})

test('a page without storage has the chat, until the next reload', async () => {
  await using setting = await visitFramed(browser, {
    prepare: (page) =>
      page.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, name, {
            configurable: true,
            get() {
              throw new DOMException('Access is denied for this document.', 'SecurityError')
            },
          })
      }),
  })
  const { server, frame, complaints } = setting
  server.script = streaming('はい。')
  await frame.getByTestId('chat-launcher').click()
  await frame.getByTestId('chat-input').fill('ありますか？')
  await frame.getByTestId('chat-send').click()
  await frame.locator('[data-phase=ended]').waitFor()
  assert.deepEqual(complaints, [])
})
