// The storefront in a real Chromium: how soon a page stands on a slow phone, and how the chat responds while an answer
// streams at 80 tokens a second. Medians of several rounds, since a busy machine delays every task.
import { launchBrowser } from '../packages/web/test/browser.ts'
import { DESKTOP, observedPage, PHONE, settled } from './pages/observed-page.ts'
import type { Bytes, Conditions } from './pages/observed-page.ts'
import { performanceScore } from './pages/score.ts'
import { longestTasks } from './pages/trace.ts'
import { startMeasured } from './servers/measured-process.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 3)
const STREAM_MS = 20_000
const PATHS = ['/', '/series/one-piece']
const SLOW_PHONE: Conditions = { device: PHONE, slower: 4, slowNetwork: true }
const BUSY_MS = 50

const { child, address } = await startMeasured('long-answer', { SECONDS: '24' })
const browser = await launchBrowser()
type Opened = Awaited<ReturnType<typeof observedPage>>

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const kilobytes = (bytes: Bytes, type?: string): string =>
  ([...bytes].reduce((sum, [each, size]) => sum + (type === undefined || type === each ? size : 0), 0) / 1024).toFixed(
    1,
  )
const weight = (bytes: Bytes): string =>
  `${kilobytes(bytes)} KB (${[...bytes.keys()].map((type) => `${type.toLowerCase()} ${kilobytes(bytes, type)}`).join(', ')})`

async function using<Result>(conditions: Conditions, work: (opened: Opened) => Promise<Result>): Promise<Result> {
  const opened = await observedPage(browser, conditions)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

async function rounds<Result>(work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let round = 0; round < ROUNDS; round += 1) results.push(await work())
  return results
}

async function measureLoad(path: string): Promise<void> {
  const loads = await rounds(() =>
    using(SLOW_PHONE, async ({ page, bytes, observed }) => {
      await page.goto(address + path)
      await settled(page)
      const { fcpMs, lcpMs, shift, tasks } = await observed()
      const blockingMs = tasks
        .filter(({ startMs }) => startMs > fcpMs)
        .reduce((sum, { ms }) => sum + Math.max(0, ms - BUSY_MS), 0)
      const load = { fcpMs, lcpMs, blockingMs, shift }
      return { ...load, score: performanceScore(load), bytes }
    }),
  )
  const of = (figure: 'fcpMs' | 'lcpMs' | 'blockingMs' | 'shift' | 'score') => median(loads.map((load) => load[figure]))
  console.log(
    `${path}: score ${of('score')} (${loads.map(({ score }) => score).join(' ')}), FCP ${of('fcpMs').toFixed(0)} ms, ` +
      `LCP ${of('lcpMs').toFixed(0)} ms, blocking ${of('blockingMs').toFixed(0)} ms, CLS ${of('shift').toFixed(4)}, ` +
      (loads[0] === undefined ? '' : weight(loads[0].bytes)),
  )
}

/** Opens the chat and asks; returns when the first words of the answer are shown. */
async function ask({ page }: Opened): Promise<void> {
  await page.goto(address)
  await page.getByTestId('chat-launcher').click()
  const input = page.getByTestId('chat-input')
  await input.fill('静かな余韻の残る漫画を、じっくり教えてください')
  await input.press('Enter')
  await page.getByTestId('chat-answer').getByText('静かな').first().waitFor()
}

/** The shopper types the next question, scrolls up and down and taps into the answer, as the words come. */
async function useWhileStreaming({ page }: Opened): Promise<void> {
  const log = page.getByTestId('chat-log')
  const until = Date.now() + STREAM_MS
  while (Date.now() < until) {
    await page.getByTestId('chat-input').pressSequentially('next ', { delay: 60 })
    await log.hover()
    for (const distance of [-300, 500]) await page.mouse.wheel(0, distance)
    await log.click({ position: { x: 30, y: 60 } })
  }
}

async function measureInteractions(slower: number): Promise<void> {
  const runs = await rounds(() =>
    using({ device: PHONE, slower, slowNetwork: false }, async (opened) => {
      await ask(opened)
      const before = (await opened.observed()).interactions.length
      await useWhileStreaming(opened)
      const { interactions, shift } = await opened.observed()
      const slowest = new Map<number, number>()
      for (const { id, ms } of interactions.slice(before)) slowest.set(id, Math.max(ms, slowest.get(id) ?? 0))
      const times = [...slowest.values()].toSorted((a, b) => b - a)
      // As INP is defined: of each fifty interactions the slowest is left out.
      return { inp: times[Math.floor(times.length / 50)] ?? 0, worst: times[0] ?? 0, count: times.length, shift }
    }),
  )
  console.log(
    `INP while streaming, CPU ${slower} × slower: ${median(runs.map(({ inp }) => inp))} ms ` +
      `(${runs.map(({ inp, worst, count }) => `${inp}, slowest of ${count} ${worst}`).join('; ')}), ` +
      `CLS ${median(runs.map(({ shift }) => shift)).toFixed(4)}`,
  )
}

async function measureTasks(): Promise<void> {
  const runs = await rounds(() =>
    using({ device: PHONE, slower: 1, slowNetwork: false }, async (opened) => {
      await ask(opened)
      await browser.startTracing(opened.page, { categories: ['disabled-by-default-devtools.timeline'] })
      await opened.page.waitForTimeout(STREAM_MS)
      return longestTasks(await browser.stopTracing())
    }),
  )
  for (const { cpuMs, wallMs } of runs)
    console.log(
      `longest task in ${STREAM_MS / 1000} s of streaming: ${cpuMs.toFixed(0)} ms of CPU, ${wallMs.toFixed(0)} ms by the clock`,
    )
}

async function measureDockedReload(): Promise<void> {
  const shifts = await rounds(() =>
    using({ device: DESKTOP, slower: 4, slowNetwork: false }, async (opened) => {
      const { page, observed } = opened
      await page.goto(address)
      await page.getByTestId('chat-launcher').click()
      await page.getByTestId('chat-menu').click()
      await page.getByTestId('chat-layout-dock').click()
      await page.reload()
      await page.getByTestId('chat-input').waitFor()
      await settled(page)
      return (await observed()).shift
    }),
  )
  console.log(`CLS of a reload with a docked panel: ${median(shifts).toFixed(4)}`)
}

async function measureFirstAnswer(): Promise<void> {
  await using({ device: PHONE, slower: 1, slowNetwork: false }, async (opened) => {
    await ask(opened)
    console.log(`until the first words of an answer: ${weight(opened.bytes)}`)
  })
}

try {
  for (const path of PATHS) await measureLoad(path)
  await measureFirstAnswer()
  await measureDockedReload()
  await measureInteractions(4)
  await measureTasks()
} finally {
  await browser.close()
  child.kill()
}
