// What a screen reader and a keyboard find: Chromium's accessibility tree on the way from the launcher to an answer, its card and
// back, and the same way with keys alone.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { axeProblems } from './axe.ts'
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
  server.script = streaming('**『AKIRA』**がおすすめです。', { meta: { products: cards(['akira'], 'ja') } })
  visited = await visit(browser)
  page = visited.page
  await page.goto(`${server.url}/support`)
  await find('launcher').waitFor()
})
afterEach(async () => {
  await visited.close()
  await server.close()
})

const find = (id: string): Locator => page.getByTestId(`chat-${id}`)

/** What a screen reader is given, in order: `role name`, without what is ignored and without bare texts. */
async function spoken(): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const inOrder = (id: string): typeof nodes => {
    const node = byId.get(id)
    return node === undefined ? [] : [node, ...(node.childIds ?? []).flatMap(inOrder)]
  }
  return inOrder(nodes[0]?.nodeId ?? '')
    .filter(
      ({ ignored, role }) => !ignored && !/^(?:none|generic|InlineTextBox|StaticText|RootWebArea)$/.test(role?.value),
    )
    .map(({ role, name }) => `${role?.value} ${name?.value ?? ''}`.trim())
}

function assertInOrder(tree: readonly string[], expected: readonly string[]): void {
  let from = 0
  for (const part of expected) {
    const found = tree.indexOf(part, from)
    assert.notEqual(found, -1, `“${part}” follows in:\n${tree.slice(from).join('\n')}`)
    from = found + 1
  }
}

test('a screen reader finds its way from the launcher to an answer, its card and back', async () => {
  assert.ok((await spoken()).includes('button 漫画アシスタントに相談する'))
  await find('launcher').click()
  await find('input').waitFor()
  assertInOrder(await spoken(), [
    'dialog 漫画アシスタント',
    'heading 漫画アシスタント',
    'button Switch to English',
    'button これまでの会話を見る',
    'button 新しい会話',
    'button メニュー',
    'button 閉じる',
    'log 会話',
    'heading どんな漫画をお探しですか？',
    'list 質問の例',
    'textbox メッセージ',
    'button 送信',
  ])
  await find('input').fill('おすすめは？')
  await find('input').press('Enter')
  await find('card').waitFor()
  const tree = await spoken()
  assertInOrder(tree, [
    'log 会話',
    'article',
    'paragraph',
    'strong',
    'list ご紹介した作品',
    'link AKIRA',
    'textbox メッセージ',
  ])
  for (const landmark of ['banner', 'contentinfo', 'main'])
    assert.ok(tree.filter((part) => part.split(' ')[0] === landmark).length <= 1, `one ${landmark}`)
  await find('announcer').filter({ hasText: '回答：『AKIRA』がおすすめです。' }).waitFor({ state: 'attached' })
  assert.deepEqual(await axeProblems(page, 'manga-assist', '[data-testid=chat-panel]'), [])
  await find('menu').click()
  await find('layout-full').waitFor()
  assertInOrder(await spoken(), ['button メニュー', 'group 表示', 'button 小さく表示', 'button 全画面で表示'])
  await find('layout-full').click()
  // The page behind a panel that covers it is not read.
  await page.locator('main[inert]').waitFor({ state: 'attached' })
  assert.ok(!(await spoken()).includes('main'))
  await find('close').click()
  await find('launcher').waitFor()
  assert.ok((await spoken()).includes('button 漫画アシスタントに相談する'))
})

test('keys alone open, ask, reach the card, list the conversations and close', async () => {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      let element = document.activeElement
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
      return element?.getAttribute('data-testid') ?? element?.className ?? ''
    })
  async function tabTo(name: string, key = 'Tab'): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      if ((await focused()) === name) return
      await page.keyboard.press(key)
    }
    assert.fail(`${name} is not reached by ${key}`)
  }
  await tabTo('chat-launcher')
  await page.keyboard.press('Enter')
  await find('input').waitFor()
  await page.waitForFunction(() => document.activeElement?.localName === 'manga-assist')
  await tabTo('chat-input')
  await page.keyboard.type('おすすめは？')
  await page.keyboard.press('Enter')
  await find('card').waitFor()
  assert.equal(await focused(), 'chat-input', 'the next question can be written at once')
  await tabTo('card-title', 'Shift+Tab')
  await tabTo('chat-history', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await find('history-list').waitFor()
  await page.keyboard.press('Escape')
  await find('history-list').waitFor({ state: 'detached' })
  await find('input').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await find('panel').waitFor({ state: 'hidden' })
  await page.waitForFunction(
    () => document.querySelector('manga-assist')?.shadowRoot?.activeElement?.className === 'launcher',
  )
})
