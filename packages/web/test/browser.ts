// A real Chromium for the tests. `complaints` collects the errors and policy violations that a page logs to the
// console; a test asserts that it is empty.
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const flags =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking ' +
  '--disable-component-update --disable-sync'

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: flags.split(' '),
    timeout: 60_000,
  })
}

export interface Visit {
  readonly page: Page
  /** Errors and policy violations, without failed requests, which tests cause on purpose. */
  readonly complaints: string[]
  /** Resolves when there is such a complaint: it arrives apart from what the page shows. */
  complained(pattern: RegExp): Promise<void>
  close(): Promise<void>
}

export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, locale: 'ja-JP', ...options })
  // Generous, because a page may be slow on a busy machine: it only bounds a hang.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text())
  })
  const complained = async (pattern: RegExp): Promise<void> => {
    if (!complaints.some((text) => pattern.test(text)))
      await page.waitForEvent('console', (message) => pattern.test(message.text()))
  }
  return { page, complaints, complained, close: () => context.close() }
}
