// The panel around the conversation: how it lies on the page, on a phone and on a desktop, the list of conversations, and other tabs.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'
import type { Visit } from './browser.ts'
import { startFakeServer, streaming } from './fake-server.ts'
import type { FakeServer } from './fake-server.ts'

let browser: Browser
let server: FakeServer
let visited: Visit | undefined

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())
beforeEach(async () => {
  server = await startFakeServer()
})
afterEach(async () => {
  await visited?.close()
  await server.close()
})

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

async function go(path: string, options?: Parameters<typeof visit>[1]): Promise<Page> {
  visited = await visit(browser, options)
  await visited.page.goto(server.url + path)
  return visited.page
}

const find = (page: Page, id: string): Locator => page.getByTestId(`chat-${id}`)

async function box(part: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  const found = await part.boundingBox()
  assert.ok(found !== null)
  return found
}

async function ask(page: Page, question: string): Promise<void> {
  await find(page, 'input').fill(question)
  await find(page, 'input').press('Enter')
  await page.locator('[data-testid=chat-exchange]').last().and(page.locator('[data-phase=ended]')).waitFor()
}

/** A button of the page where the panel would float. */
async function addButton(page: Page): Promise<Locator> {
  await page.locator('main').evaluate((main) => {
    const button = document.createElement('button')
    button.textContent = 'Ask'
    button.dataset['ask'] = 'open'
    button.style.cssText = 'position: absolute; right: 40px; top: 400px'
    main.append(button)
    document.body.style.position = 'relative'
  })
  return page.getByRole('button', { name: 'Ask', exact: true })
}

test('on a desktop the panel does not cover what was pressed, and can be sized, which is remembered', async () => {
  const page = await go('/series/berserk', { viewport: { width: 1280, height: 800 } })
  const pressed = await addButton(page)
  await pressed.click()
  await find(page, 'panel').waitFor()
  // The page makes room after the panel has been drawn.
  await page.waitForFunction(
    ([button, panel]) =>
      button !== null && panel !== null && button.getBoundingClientRect().right <= panel.getBoundingClientRect().left,
    [await pressed.elementHandle(), await find(page, 'panel').elementHandle()] as const,
  )

  await find(page, 'menu').click()
  await find(page, 'layout-full').click()
  await page.getByRole('dialog').and(page.locator('[aria-modal=true]')).waitFor()
  await page.locator('main[inert]').waitFor({ state: 'attached' })
  await page.reload()
  await page.locator('.panel.full').waitFor()
  await find(page, 'menu').click()
  // The first Escape closes the menu, the next one the panel.
  await page.keyboard.press('Escape')
  await find(page, 'menu').and(page.locator('[aria-expanded=false]')).waitFor()
  await page.keyboard.press('Escape')
  await find(page, 'panel').waitFor({ state: 'hidden' })
  // The page is as it was.
  await page.locator('main:not([inert])').waitFor()
  await page.waitForFunction(() => document.documentElement.style.length === 0)

  await addButton(page)
  await pressed.press('Enter')
  await find(page, 'panel').waitFor()
  await find(page, 'close').click()
  await find(page, 'panel').waitFor({ state: 'hidden' })
  // The focus is where it was.
  await pressed.and(page.locator(':focus')).waitFor()
})

test('on a phone Back closes the panel, and Back from a page that it opened leads to it again', async () => {
  server.script = streaming('[こちら](/series/akira)です。')
  const page = await go('/support', phone)
  await find(page, 'launcher').tap()
  await find(page, 'panel').waitFor()
  await page.waitForFunction(
    () =>
      document.querySelector('main')?.inert === true &&
      getComputedStyle(document.documentElement).overflowY === 'hidden' &&
      document.querySelector('manga-assist')?.shadowRoot?.querySelector('.panel')?.getAttribute('aria-modal') ===
        'true',
  )
  await page.goBack()
  await find(page, 'panel').waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).pathname, '/support')
  await find(page, 'launcher').tap()
  await ask(page, 'AKIRAは？')
  await find(page, 'answer').getByRole('link').tap()
  await page.getByRole('heading', { level: 1, name: 'AKIRA' }).waitFor()
  await find(page, 'panel').waitFor({ state: 'hidden' })
  await page.goBack()
  await find(page, 'answer').waitFor()
  await find(page, 'close').tap()
  await find(page, 'panel').waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).pathname, '/support')
})

test('at 320 pixels nothing in the head overlaps, and every target is big enough for a finger', async () => {
  const page = await go('/en/', { ...phone, viewport: { width: 320, height: 560 }, locale: 'en-US' })
  await find(page, 'launcher').waitFor()
  // While the page is scrolled down the launcher is out of the way, and still in the order of the keyboard.
  await page.evaluate(() => {
    document.body.style.minHeight = '3000px'
    window.scrollTo(0, 400)
  })
  await page.locator('.root[data-tucked]').waitFor({ state: 'attached' })
  await find(page, 'launcher').focus()
  await find(page, 'launcher').and(page.locator(':focus')).waitFor()
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.locator('.root:not([data-tucked])').waitFor({ state: 'attached' })
  await find(page, 'launcher').tap()
  await find(page, 'panel').waitFor()
  const parts = page.locator('.head .name, .head .tool:visible')
  const boxes = await Promise.all((await parts.all()).map((part) => box(part)))
  assert.equal(boxes.length, 5)
  boxes.reduce((before, next) => {
    assert.ok(before.x + before.width <= next.x + 1, `${JSON.stringify(before)} is before ${JSON.stringify(next)}`)
    return next
  })
  await find(page, 'menu').tap()
  const buttons = await page.locator('.panel button:visible').all()
  for (const button of buttons) {
    const { width, height } = await box(button)
    assert.ok(Math.min(width, height) >= 44, `${await button.getAttribute('data-testid')}: ${width} × ${height}`)
  }
  await find(page, 'menu-language').tap()
  await page.getByRole('dialog', { name: '漫画アシスタント' }).waitFor()
})

test('earlier conversations are found, opened and deleted, in all tabs', async () => {
  const times = { version: 1, createdAt: '2026-11-18T05:00:00Z', lastActiveAt: '2026-11-18T05:00:00Z' }
  server.conversations.push(
    { sessionId: 's1', title: '送料は？', ...times },
    { sessionId: 's2', title: 'AKIRAは？', ...times },
  )
  server.session = {
    turns: [{ turnId: 't9', question: 'AKIRAは？', answer: 'ございます。', finishReason: 'stop', products: [] }],
  }
  const page = await go('/support')
  await find(page, 'launcher').click()
  await find(page, 'history').click()
  await find(page, 'history-row').nth(1).getByRole('button').first().click()
  await find(page, 'answer').filter({ hasText: 'ございます。' }).waitFor()
  assert.ok(server.requests.includes('GET /api/sessions/s2'))

  // Another tab shows the same conversation, follows the language, and closes the conversation when it is deleted.
  const other = await page.context().newPage()
  await other.goto(`${server.url}/support`)
  await find(other, 'launcher').click()
  await find(other, 'answer').waitFor()
  await find(other, 'language').click()
  await page.getByRole('dialog', { name: 'Manga assistant' }).waitFor()
  await find(other, 'history').click()
  await find(other, 'history-delete').nth(1).click()
  server.session = undefined
  await find(other, 'history-yes').click()
  await find(other, 'history-note').filter({ hasText: 'deleted' }).waitFor()
  await find(other, 'history-row').nth(1).waitFor({ state: 'detached' })
  assert.equal(await find(other, 'history-row').count(), 1)
  await find(page, 'suggestion').first().waitFor()

  await find(other, 'history-everything').click()
  await find(other, 'history-yes').click()
  await find(other, 'history-row').waitFor({ state: 'detached' })
  assert.ok(server.requests.includes('DELETE /api/me'))
  assert.deepEqual(visited?.complaints, [])
})

test('a reader who goes to the end of a growing answer is taken along', async () => {
  const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  server.script = async (turn) => {
    turn.meta()
    turn.text('始めの行です。\n\n'.repeat(40))
    await steps[0]?.promise
    turn.text('次の行です。\n\n'.repeat(20))
    await steps[1]?.promise
    turn.done()
  }
  const page = await go('/support')
  await find(page, 'launcher').click()
  await find(page, 'input').fill('a')
  await find(page, 'input').press('Enter')
  await find(page, 'to-latest').click()
  await find(page, 'to-latest').waitFor({ state: 'hidden' })
  steps[0]?.resolve()
  await find(page, 'answer').getByText('次の行です。').last().waitFor()
  await page.waitForFunction(() => {
    const log = document.querySelector('manga-assist')?.shadowRoot?.querySelector('.scroller')
    return log !== null && log !== undefined && log.scrollHeight - log.scrollTop - log.clientHeight < 4
  })
  steps[1]?.resolve()
})

test('earlier turns of a long conversation appear above the shown ones, which do not move', async () => {
  const turns = (from: number, to: number): object[] =>
    Array.from({ length: to - from }, (_, index) => ({
      turnId: `t${from + index}`,
      question: `質問${from + index}`,
      answer: '答えです。\n\n'.repeat(6),
      finishReason: 'stop',
      tier: 'primary',
      products: [],
    }))
  server.conversations.push({
    sessionId: 's1',
    title: '長い会話',
    version: 1,
    createdAt: '2026-11-18T05:00:00Z',
    lastActiveAt: '2026-11-18T05:00:00Z',
  })
  server.session = { turns: turns(5, 10), earlier: 't5' }
  server.earlierSession = { turns: turns(0, 5) }
  const page = await go('/support')
  await find(page, 'launcher').click()
  await find(page, 'history').click()
  await find(page, 'history-row').getByRole('button').first().click()
  await find(page, 'question').getByText('質問9').waitFor()
  const read = find(page, 'question').getByText('質問5', { exact: true })
  await find(page, 'log').evaluate((log) => log.scrollTo({ top: 200 }))
  await find(page, 'question').getByText('質問0', { exact: true }).waitFor({ state: 'attached' })
  const log = await box(find(page, 'log'))
  const { y } = await box(read)
  assert.ok(y > log.y - 400 && y < log.y + log.height, `${y} is where it was`)
  assert.deepEqual(
    await find(page, 'question').allInnerTexts(),
    Array.from({ length: 10 }, (_, index) => `質問${index}`),
  )
  assert.ok(server.requests.includes('GET /api/sessions/s1?before=t5'))
  const hidden = await find(page, 'panel').evaluate((panel) => panel.scrollHeight - panel.clientHeight)
  assert.equal(hidden, 0, 'only the log scrolls, so that no focus can move the head of the panel away')
})
