// Thumbs and opened cards on the built page in a real browser: by mouse and keyboard, in both languages, restored, and calm
// when the server fails.
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
/** Resolves when it has the focus, which follows the update of the panel. */
const focused = (part: Locator): Promise<void> => part.and(page.locator(':focus')).waitFor()
const pressed = async (): Promise<(string | null)[]> =>
  Promise.all(['thumb-up', 'thumb-down'].map((thumb) => find(thumb).last().getAttribute('aria-pressed')))

async function ask(question: string): Promise<void> {
  await page.locator('[data-testid=chat-launcher]:visible, [data-testid=chat-input]:visible').first().waitFor()
  if (await find('launcher').isVisible()) await find('launcher').click()
  await find('input').fill(question)
  await find('input').press('Enter')
}

async function answered(): Promise<void> {
  server.script = streaming('はい、あります。')
  await page.goto(server.url)
  await ask('AKIRAは？')
  await find('rating').waitFor()
}

/** The next call about a turn; the page may still be sending it. */
const called = (path: string) => page.waitForResponse((response) => response.url().endsWith(path))

test('thumbs are chosen with the mouse, changed and taken back', async () => {
  await answered()
  await page.getByRole('group', { name: 'この回答の評価' }).waitFor()
  for (const thumb of [find('thumb-up'), find('thumb-down')]) {
    const { width = 0, height = 0 } = (await thumb.boundingBox()) ?? {}
    assert.ok(width >= 44 && height >= 44, `a finger can hit it: ${width} × ${height}`)
  }
  assert.deepEqual(await pressed(), ['false', 'false'])
  for (const [thumb, expected] of [
    ['thumb-up', ['true', 'false']],
    ['thumb-down', ['false', 'true']],
    ['thumb-down', ['false', 'false']],
  ] as const) {
    const sent = called('/feedback')
    await find(thumb).click()
    await sent
    assert.deepEqual(await pressed(), expected)
  }
  assert.deepEqual(
    server.calls,
    ['up', 'down', null].map((value) => ['/api/turns/t1/feedback', { value, sessionId: 's1' }]),
  )
  assert.equal(await find('reason').count(), 0)
  assert.deepEqual(visited.complaints, [])
})

test('after a thumb down a reason is written with the keyboard alone, in English', async () => {
  await answered()
  await find('language').click()
  const down = page.getByRole('button', { name: 'Not helpful', exact: true })
  await down.focus()
  await page.keyboard.press('Space')
  await find('action-note').filter({ hasText: 'What was wrong?' }).waitFor()
  await page.keyboard.press('Tab')
  await focused(find('reason-field'))
  await page.keyboard.type('I asked for 10 volumes')
  await page.keyboard.press('Enter')
  await find('action-note').filter({ hasText: 'Thank you.' }).waitFor()
  await find('reason').waitFor({ state: 'detached' })
  await focused(down)
  assert.deepEqual(server.calls.at(-1)?.[1], { value: 'down', reason: 'I asked for 10 volumes', sessionId: 's1' })
})

test('Escape closes the field for a reason, and not the panel', async () => {
  await answered()
  await find('thumb-down').click()
  await find('reason-field').press('Escape')
  await find('reason').waitFor({ state: 'detached' })
  assert.ok(await find('panel').isVisible())
  assert.deepEqual(await pressed(), ['false', 'true'])
})

test('a reload restores the thumb', async () => {
  await answered()
  const turn = { question: 'a', answer: 'はい。', language: 'ja', finishReason: 'stop', tier: 'primary', products: [] }
  server.session = {
    turns: [
      { ...turn, turnId: 't0', tier: 'message' },
      { ...turn, turnId: 't1', feedback: { value: 'up', at: '2026-11-04T03:00:00.000Z' } },
    ],
  }
  await page.reload()
  await find('rating').waitFor()
  assert.deepEqual([await find('rating').count(), await pressed()], [1, ['true', 'false']])
})

test('a thumb that cannot be saved returns, with a calm word, and can be tried again', async () => {
  await answered()
  server.broken = true
  await find('thumb-up').click()
  await find('action-note').filter({ hasText: '保存できませんでした' }).waitFor()
  assert.deepEqual(await pressed(), ['false', 'false'])
  server.broken = false
  const sent = called('/feedback')
  await find('thumb-up').click()
  await sent
  await find('action-note').filter({ hasText: 'ありがとうございます' }).waitFor()
  assert.deepEqual(await pressed(), ['true', 'false'])
})

test('refusals and notices have no thumbs', async () => {
  await page.goto(server.url)
  server.script = (turn) => {
    turn.meta({ tier: 'message' })
    turn.text('ただいま混み合っています。')
    turn.done({ tier: 'message' })
  }
  await ask('a')
  await ended().waitFor()
  server.script = (turn) =>
    turn.send({ type: 'error', turnId: turn.turnId, code: 'RATE_LIMITED', message: '少しお待ちください。' })
  await ask('b')
  await find('limit').waitFor()
  assert.equal(await find('rating').count(), 0)
})

test('an opened card is reported once, and the page opens without waiting for it', async () => {
  server.script = streaming('AKIRAです。', { meta: { products: cards(['akira', 'monster'], 'ja') } })
  await page.goto(server.url)
  await ask('AKIRAは？')
  await find('card').nth(1).waitFor()
  // The report is never answered: the page opens all the same.
  const reports: unknown[] = []
  const reported = Promise.withResolvers<void>()
  await page.route('**/opened', (route) => {
    const report = route.request().postDataJSON() as { productId: string }
    reports.push(report)
    if (report.productId === 'monster') reported.resolve()
  })
  const card = find('cards').locator('[data-product=akira] a')
  await card.click()
  await page.waitForURL(`${server.url}/series/akira`)
  await card.click()
  await find('cards').locator('[data-product=monster] a').click()
  await page.waitForURL(`${server.url}/series/monster`)
  await reported.promise
  assert.deepEqual(
    reports,
    ['akira', 'monster'].map((productId) => ({ productId, sessionId: 's1' })),
  )
})
