// One headless Chromium for a test file, a profile of its own for each test, the errors of its pages, and a wait for the cards of the chat.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { TestContext } from 'node:test'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'

/**
 * Rootless sandboxes need privileges that a container rarely has; the other flags prevent network calls of the browser
 * itself.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Bounds only a hang: on a busy machine a page may be slow. */
const PATIENCE_MS = 60_000

let launched: Promise<Browser> | undefined
after(async () => (await launched)?.close())

export async function openBrowser(
  context: TestContext,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: readonly string[] }> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  launched ??= chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS })
  const profile = await (await launched).newContext({ locale: 'ja-JP', ...options })
  context.after(() => profile.close())
  profile.setDefaultTimeout(PATIENCE_MS)
  const page = await profile.newPage()
  const problems: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
  page.on('pageerror', (error) => void problems.push(String(error)))
  return { page, problems }
}

/**
 * Resolves when the chat, in a page or in a frame of it, shows so many cards. What stands below an answer is loaded behind its first
 * words, so the answer may end before its cards are there.
 */
export async function cardsShown(place: Page | FrameLocator, count: number): Promise<void> {
  const cards = place.getByTestId('chat-card')
  await cards.nth(count - 1).waitFor({ state: 'attached' })
  assert.equal(await cards.count(), count)
}
