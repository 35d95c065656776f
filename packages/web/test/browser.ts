// A real Chromium for the tests. Every page keeps what it complained about: an error or a breach of the policy on the
// console fails the test that asks for `complaints`.
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
  /** Errors and breaches of policy. What the network refuses is the test's own doing and is left out. */
  readonly complaints: string[]
  close(): Promise<void>
}

export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, locale: 'ja-JP', ...options })
  // Bounds a hang, and no more: on a busy machine a page may be slow.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text())
  })
  return { page, complaints, close: () => context.close() }
}
