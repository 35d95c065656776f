// A visit of a page of another site that has the chat in a frame, with a scripted server behind it.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { visit } from './browser.ts'
import { startFramingPage } from './fake-files.ts'
import { startFakeServer } from './fake-server.ts'

export interface FramedVisitOptions {
  /** Attributes of the script's tag. */
  readonly attributes?: string
  /** Markup after the page's own. */
  readonly body?: string
  /** The host name of the page: the server lets pages at `localhost` frame the chat, and no others. */
  readonly name?: string
  readonly context?: BrowserContextOptions
  /** Before the page loads. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

export async function visitFramed(browser: Browser, options: FramedVisitOptions = {}) {
  const { attributes, body, name = 'localhost', context = {}, prepare } = options
  const server = await startFakeServer()
  const host = await startFramingPage(server.url, attributes, body)
  const { page, complaints, complained, close } = await visit(browser, context)
  await page.addInitScript(() => {
    const received: [string, unknown][] = []
    for (const event of ['ready', 'open', 'close', 'ask', 'answer', 'language', 'error'])
      document.addEventListener(`manga-assist-${event}`, ({ detail }: CustomEventInit) =>
        received.push([event, detail]),
      )
    Object.assign(globalThis, { received })
  })
  await prepare?.(page)
  await page.goto(host.url.replace('localhost', name))
  return {
    server,
    page,
    complaints,
    complained,
    frame: page.frameLocator('manga-assist iframe'),
    /** The part of the window that the frame covers: left, top, right and bottom. */
    area: () => areaOf(page),
    /** Resolves when the page shows the panel, and not only the launcher, which is round. */
    opened: () => page.waitForFunction(isCutTo, 'panel'),
    closed: () => page.waitForFunction(isCutTo, 'launcher'),
    /** The events that the page has received, once there are `count`, or fewer when no more come. */
    received: (count: number) => receivedBy(page, count),
    async [Symbol.asyncDispose]() {
      await close()
      await host.close()
      await server.close()
    },
  }
}

/** The frame's messages reach the page later than the frame shows what they are about. */
async function receivedBy(page: Page, count: number): Promise<[string, unknown][]> {
  const list = await page.evaluateHandle(() => (globalThis as unknown as { received: [string, unknown][] }).received)
  // Without them the assertion of the test fails, and shows which are missing.
  await page.waitForFunction(([events, least]) => events.length >= least, [list, count] as const).catch(() => {})
  return list.jsonValue()
}

function areaOf(page: Page): Promise<{ left: number; top: number; right: number; bottom: number }> {
  return page.locator('manga-assist iframe').evaluate((frame) => {
    const [insets = ''] = getComputedStyle(frame).clipPath.split('round')
    const [top = 0, right = top, bottom = top, left = right] = insets.match(/[\d.]+px/g)?.map(Number.parseFloat) ?? []
    return { left, top, right: innerWidth - right, bottom: innerHeight - bottom }
  })
}

function isCutTo(part: string): boolean {
  const frame = document.querySelector('manga-assist')?.shadowRoot?.querySelector('iframe')
  if (!frame || getComputedStyle(frame).visibility !== 'visible') return false
  return getComputedStyle(frame).clipPath.includes('round') === (part === 'launcher')
}
