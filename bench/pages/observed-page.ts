// A page of a real Chromium whose paints, tasks, shifts, interactions and bytes are observed from its first moment.
import { visit } from '../../packages/web/test/browser.ts'
import type { launchBrowser, Visit } from '../../packages/web/test/browser.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Visit['page']

export const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
export const DESKTOP = { viewport: { width: 1280, height: 800 } }

/** What Lighthouse calls slow 4G: its round trip and its 1.6 Mbit/s. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

export interface Conditions {
  readonly device: typeof PHONE | typeof DESKTOP
  /** How many times slower the processor is. */
  readonly slower: number
  readonly slowNetwork: boolean
}

/** Collected in the page. A shift within half a second of an input is the shopper's own and does not count. */
export interface Observed {
  fcpMs: number
  lcpMs: number
  /** The largest group of shifts, as CLS is defined: at most a second apart, of five seconds at most. */
  shift: number
  readonly tasks: { startMs: number; ms: number }[]
  /** A key press or a tap is several events. */
  readonly interactions: { id: number; ms: number }[]
}

/** What a browser reports; the types of Node know less. */
interface Entry {
  readonly name: string
  readonly startTime: number
  readonly duration: number
  readonly interactionId?: number
  readonly value?: number
  readonly hadRecentInput?: boolean
}

interface BrowserWorld {
  readonly PerformanceObserver: new (seen: (list: { getEntries(): Entry[] }) => void) => {
    observe(options: { type: string; buffered: boolean; durationThreshold: number }): void
  }
}

function observe(): void {
  const seen: Observed = { fcpMs: 0, lcpMs: 0, shift: 0, tasks: [], interactions: [] }
  Object.assign(globalThis, { observed: seen })
  const { PerformanceObserver: Observer } = globalThis as unknown as BrowserWorld
  const on = (type: string, each: (entry: Entry) => void) =>
    new Observer((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, durationThreshold: 16 })
  on('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.fcpMs = startTime
  })
  on('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime))
  on('longtask', ({ startTime, duration }) => void seen.tasks.push({ startMs: startTime, ms: duration }))
  on('event', ({ interactionId = 0, duration }) => {
    if (interactionId > 0) seen.interactions.push({ id: interactionId, ms: duration })
  })
  let group = { sum: 0, beganAt: 0, lastAt: 0 }
  on('layout-shift', ({ hadRecentInput, value = 0, startTime: at }) => {
    if (hadRecentInput === true) return
    const isNew = at - group.lastAt > 1000 || at - group.beganAt > 5000
    group = isNew ? { sum: value, beganAt: at, lastAt: at } : { ...group, sum: group.sum + value, lastAt: at }
    seen.shift = Math.max(seen.shift, group.sum)
  })
}

/** Bytes as sent, by type of resource. */
export type Bytes = Map<string, number>

export async function observedPage(browser: Browser, { device, slower, slowNetwork }: Conditions) {
  const visited = await visit(browser, device)
  const { page } = visited
  await page.addInitScript(observe)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  if (slowNetwork) await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  if (slower > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const types = new Map<string, string>()
  const bytes: Bytes = new Map()
  devtools.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other'
    bytes.set(type, (bytes.get(type) ?? 0) + encodedDataLength)
  })
  return { ...visited, page, bytes, observed: () => observedIn(page) }
}

export function observedIn(page: Page): Promise<Observed> {
  return page.evaluate(() => (globalThis as unknown as { observed: Observed }).observed)
}

/** Nothing was requested for half a second, and the page had two more seconds for tasks that come late. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(2000)
}
