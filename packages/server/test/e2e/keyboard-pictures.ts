// Makes the pictures of docs/widget.md and docs/console.md that show the keyboard alone (`npm run pictures -- keyboard`): a shopper who asks and fills
// the cart, and an operator who reads a turn, in a real Chromium. Each step names the element that must have the focus, visibly.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { openShop } from './console-visit.ts'
import { contactSheet } from './contact-sheet.ts'
import type { Frame } from './contact-sheet.ts'
import { startServer, temporaryFolder } from './server-process.ts'

const FOLDER = join(import.meta.dirname, '../../../../docs/images')
/** The narrowest window that has room for the panel beside the page. */
const WINDOW = { width: 1000, height: 620 }
const PRESSES_MAX = 60
const QUESTION = '落語の漫画はありますか？'

/** The name of the focused element, also in shadow roots; none where no ring is drawn. */
const FOCUSED = `(() => {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  if (element === null || !element.matches(':focus-visible')) return ''
  if (element.matches('[data-rove]')) return 'row ' + String(element.closest('tr').sectionRowIndex + 1)
  return element.dataset.testid ?? (element.id || element.className || element.getAttribute('href') || element.localName)
})()`

/** In this order: keys and text, what is shown then, and a key that moves the focus on. */
interface Step {
  readonly keys?: readonly string[]
  readonly text?: string
  /** A test id, and other attributes. */
  readonly shown?: string
  /** Pressed until the expected element has the focus. */
  readonly until?: string
  /** The element that has the focus after the step. */
  readonly focus: string
  readonly mark: string
  readonly caption: string
}

const SHOPPER: readonly Step[] = [
  { keys: ['Tab'], focus: 'skip', mark: 'Tab', caption: 'the first link skips to the content' },
  { keys: ['Tab'], focus: 'skip-to-chat', mark: 'Tab', caption: 'the second leads to the chat' },
  {
    keys: ['Enter'],
    shown: 'chat-input',
    focus: 'chat-input',
    mark: 'Enter',
    caption: 'the chat opens with its field',
  },
  { text: QUESTION, focus: 'chat-input', mark: 'Typing', caption: 'a question' },
  { keys: ['Enter'], shown: 'chat-rating', focus: 'chat-input', mark: 'Enter', caption: 'the answer; the field stays' },
  { until: 'Shift+Tab', focus: 'card-title', mark: 'Shift+Tab', caption: 'into the cards' },
  { until: 'Tab', focus: 'chat-volume', mark: 'Tab', caption: 'the volumes of a card' },
  { keys: ['ArrowDown'], focus: 'chat-volume', mark: '↓', caption: 'the second volume' },
  { keys: ['Tab'], focus: 'chat-add-to-cart', mark: 'Tab', caption: 'the button beside them' },
  {
    keys: ['Enter'],
    shown: 'cart-link][data-count="1"',
    focus: 'chat-add-to-cart',
    mark: 'Enter',
    caption: 'it is in the cart',
  },
  { keys: ['Escape'], shown: 'chat-launcher', focus: 'skip-to-chat', mark: 'Esc', caption: 'the focus returns' },
  { until: 'Tab', focus: 'cart-link', mark: 'Tab', caption: 'to the cart in the head' },
  {
    keys: ['Enter'],
    shown: 'cart-line',
    until: 'Tab',
    focus: 'chat-launcher',
    mark: 'Enter, Tab',
    caption: 'the cart',
  },
  { keys: ['Enter'], shown: 'chat-rating', focus: 'chat-input', mark: 'Enter', caption: 'the same conversation' },
  { keys: ['Escape'], shown: 'chat-launcher', focus: 'chat-launcher', mark: 'Esc', caption: 'the focus returns' },
]

const OPERATOR: readonly Step[] = [
  { shown: 'token', focus: 'token', mark: 'The page', caption: 'opens with its field' },
  { text: 'maa_operator', focus: 'token', mark: 'Typing', caption: 'the token' },
  { keys: ['Enter'], shown: 'age', until: 'Tab', focus: 'skip', mark: 'Enter, Tab', caption: 'signed in' },
  { keys: ['g', 't'], shown: 'turns', until: 'Tab', focus: 'row 1', mark: 'g t, Tab', caption: 'into the turns' },
  { keys: ['ArrowDown'], focus: 'row 2', mark: '↓', caption: 'the second turn' },
  { keys: ['Enter'], shown: 'story', until: 'Tab', focus: '/console/turns', mark: 'Enter, Tab', caption: 'its story' },
  { keys: ['Enter'], shown: 'turns', focus: 'row 2', mark: 'Enter', caption: 'back in the list, at its row' },
  { keys: ['/'], focus: 'find', mark: '/', caption: 'the search, from anywhere' },
]

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
})
try {
  await showShopper()
  await showOperator()
} finally {
  await browser.close()
}

async function showShopper(): Promise<void> {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path, env: { MANGA_DEMO: 'true' } })
  const page = await opened(`${server.address}/`, 'ja-JP')
  await page.getByTestId('chat-launcher').waitFor()
  await save('keyboard-chat', await walk(page, SHOPPER), 'ja')
}

async function showOperator(): Promise<void> {
  await using shop = await openShop()
  const page = await opened(`${shop.server.address}/console`, 'en-GB')
  await save('keyboard-console', await walk(page, OPERATOR), 'en')
}

async function opened(address: string, locale: string): Promise<Page> {
  const page = await (
    await browser.newContext({ locale, viewport: WINDOW, deviceScaleFactor: 1, reducedMotion: 'reduce' })
  ).newPage()
  await page.goto(address)
  return page
}

async function walk(page: Page, steps: readonly Step[]): Promise<Frame[]> {
  const frames: Frame[] = []
  for (const { caption, focus, keys = [], mark, shown, text, until } of steps) {
    for (const key of keys) await page.keyboard.press(key)
    if (text !== undefined) await page.keyboard.type(text)
    if (shown !== undefined) await page.locator(`[data-testid=${shown}]`).first().waitFor()
    if (until !== undefined) await pressUntil(page, until, focus)
    await page
      .waitForFunction(`${FOCUSED} === ${JSON.stringify(focus)}`, undefined, { timeout: 15_000 })
      .catch(async () => {
        assert.equal(await page.evaluate<string>(FOCUSED), focus, `${mark}: ${caption}`)
      })
    await page.waitForLoadState('networkidle')
    frames.push({ mark: `${frames.length + 1} · ${mark}`, caption, image: await page.screenshot() })
  }
  return frames
}

async function pressUntil(page: Page, key: string, focus: string): Promise<void> {
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    await page.keyboard.press(key)
    if ((await page.evaluate<string>(FOCUSED)) === focus) return
  }
  assert.fail(`${key} does not lead to ${focus}`)
}

async function save(name: string, frames: readonly Frame[], language: 'ja' | 'en'): Promise<void> {
  const picture = await contactSheet(browser, frames, { columns: 4, language, widthPx: 1280 })
  await writeFile(join(FOLDER, `${name}.png`), picture)
}
