// A headless Chromium that goes away with the test, and what went wrong in its pages.
import type { TestContext } from 'node:test'
import { chromium } from 'playwright-core'
import type { BrowserContextOptions, Page } from 'playwright-core'

/** Rootless sandboxes need privileges that a container rarely has; the rest keeps it from calling home. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function openBrowser(
  context: TestContext,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: readonly string[] }> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  context.after(() => browser.close())
  const page = await browser.newPage({ locale: 'ja-JP', ...options })
  const problems: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
  page.on('pageerror', (error) => void problems.push(String(error)))
  return { page, problems }
}
