// Makes the pictures of docs/console.md again (`npm run pictures`): a shop with traffic, an outage that fires an alarm, and every screen of the console in a
// real Chromium. Not a test: it is run by hand when a screen has changed.
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { sqliteModelHistory } from '#adapters/sqlite/model-history/model-history.ts'
import { databasePathIn } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { laneId } from '#domain/lane/lane-id.ts'
import type { LaneChange } from '#domain/model-history/lane-change.ts'
import { HISTORY_STEP_MS } from '#domain/model-history/model-meter.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { alarmsSoon, openShop, outage, signIn } from './console-visit.ts'
import { postChat } from './server-process.ts'

const FOLDER = join(import.meta.dirname, '../../../../docs/images')
const DESK = { width: 1280, height: 700 }
const PHONE = { width: 360, height: 740 }
const DAY_STEPS = 95
const OUTAGE_AGO = 30
const QUESTIONS = [
  '鬼滅の刃は全何巻ですか？',
  '異世界もののおすすめは？',
  'Do you ship to Osaka?',
  '予算3000円で揃う完結作品は？',
]

await using shop = await openShop({
  env: { ...alarmsSoon, MANGA_ALARMS__RUNBOOKURL: 'https://shop.example/runbooks/' },
  prepare: yesterday,
})
const { guest, server } = shop
for (const message of QUESTIONS) await postChat(server.address, { message })
await outage(shop)

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})

interface Picture {
  readonly name: string
  readonly path: string
  /** Shows that the screen has its data. */
  readonly testId: string
  /** Also what must be scrolled to. */
  readonly isWhole?: boolean
}

const SCREENS: readonly Picture[] = [
  // The figures of the half hour begin ten seconds after the start.
  { name: 'now', path: '', testId: 'now-refusals' },
  { name: 'alarms', path: 'alarms', testId: 'firing' },
  { name: 'turns', path: 'turns', testId: 'turns' },
  { name: 'turn', path: `turns/${guest.degradedId}`, testId: 'story' },
  { name: 'conversations', path: `conversations?user=${guest.id}`, testId: 'conversations' },
  { name: 'models', path: 'models', testId: 'faults', isWhole: true },
  { name: 'money', path: 'money?by=model', testId: 'usage' },
  { name: 'person', path: `people/${guest.id}`, testId: 'quota' },
  { name: 'feedback', path: 'feedback', testId: 'worst' },
  { name: 'knowledge', path: 'knowledge', testId: 'age' },
  { name: 'experiments', path: 'experiments/short', testId: 'experiment-start' },
  { name: 'settings', path: 'settings', testId: 'mode-reduced' },
  { name: 'nodes', path: 'nodes', testId: 'nodes' },
  { name: 'audit', path: 'audit', testId: 'audit' },
]

async function opened(locale: string, colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await (
    await browser.newContext({ locale, colorScheme, viewport: DESK, reducedMotion: 'reduce' })
  ).newPage()
  await signIn(page, shop)
  return page
}

async function take(page: Page, { isWhole = false, name, path, testId }: Picture): Promise<void> {
  await page.goto(`${server.address}/console/${path}`)
  await page.getByTestId(testId).first().waitFor()
  await page.getByTestId('age').waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(FOLDER, `console-${name}.png`), fullPage: isWhole })
}

await waitUntil('the alarm fires', async () => {
  const page = await opened('en-GB', 'light')
  await page.goto(`${server.address}/console/alarms`)
  await page.getByTestId('age').waitFor()
  const isFiring = (await page.getByTestId('firing').count()) > 0
  await page.context().close()
  return isFiring
})
const english = await opened('en-GB', 'light')
for (const picture of SCREENS) await take(english, picture)
const japanese = await opened('ja-JP', 'dark')
await japanese.setViewportSize(PHONE)
for (const { name, path, testId } of SCREENS)
  if (['now', 'turns', 'models'].includes(name)) await take(japanese, { name: `${name}-phone`, path, testId })
await browser.close()

/** A day of calls with an outage of the first model at night, so that charts have something to show. */
async function yesterday(dataDir: string, vendor: string): Promise<void> {
  const clock = systemClock()
  const database = openDatabase({ path: databasePathIn(dataDir), clock })
  const history = sqliteModelHistory({ clock, database })
  const lane = laneId({ model: 'anthropic.claude-3-sonnet-20240229-v1:0', region: new URL(vendor).host })
  const last = Math.floor(clock.now() / HISTORY_STEP_MS) * HISTORY_STEP_MS
  for (let ago = DAY_STEPS; ago > 0; ago -= 1) {
    const at = last - ago * HISTORY_STEP_MS
    const isDown = ago === OUTAGE_AGO || ago === OUTAGE_AGO - 1
    // More by day than by night.
    const turns = Math.round(60 + 45 * Math.sin(ago / 15))
    const failed = isDown ? Math.round(turns / 2) : ago % 9 === 0 ? 1 : 0
    const fault = { model: 'primary', count: failed, lastAt: at + 60_000, turnId: 'turn_example' }
    await history.add({
      id: String(at),
      at,
      counts: [
        { of: '', counts: { turns, 'tier:primary': turns - failed, 'tier:economy': failed } },
        {
          of: 'primary',
          counts: {
            calls: turns,
            failures: failed,
            answers: turns - failed,
            cost: turns * 4200,
            'first:7': turns - failed,
            'first:9': 2,
            'total:10': turns - failed,
            'total:12': 3,
          },
        },
        ...(failed === 0
          ? []
          : [
              {
                of: 'economy',
                counts: { calls: failed, answers: failed, cost: failed * 310, 'first:4': failed, 'total:8': failed },
              },
            ]),
      ],
      faults:
        failed === 0
          ? []
          : [
              isDown
                ? {
                    ...fault,
                    outcome: 'unavailable',
                    status: 503,
                    code: 'ServiceUnavailableException',
                    message: 'Bedrock is unable to process your request.',
                  }
                : {
                    ...fault,
                    outcome: 'throttled',
                    status: 429,
                    code: 'ThrottlingException',
                    message: 'Too many requests, please wait before trying again.',
                  },
            ],
      changes: isDown ? outageChanges(lane, at, ago === OUTAGE_AGO) : [],
    })
  }
  database.close()
}

function outageChanges(lane: string, at: number, isFirst: boolean): readonly LaneChange[] {
  const seen = { lane, calls: 3, failures: 3 }
  const minute = 60_000
  return isFirst
    ? [
        { ...seen, id: `${at}-1`, at: at + 2 * minute, from: 'closed', to: 'open', why: 'failures' },
        { ...seen, id: `${at}-2`, at: at + 7 * minute, from: 'open', to: 'half-open', why: 'probing' },
        { ...seen, id: `${at}-3`, at: at + 8 * minute, from: 'half-open', to: 'open', why: 'probe-failed' },
      ]
    : [
        { ...seen, id: `${at}-4`, at: at + 8 * minute, from: 'open', to: 'half-open', why: 'probing' },
        { ...seen, id: `${at}-5`, at: at + 10 * minute, from: 'half-open', to: 'recovering', why: 'probes-passed' },
        { ...seen, id: `${at}-6`, at: at + 13 * minute, from: 'recovering', to: 'closed', why: 'recovered' },
      ]
}
