// Every screen of the console in a real Chromium: free of axe-core's violations in both colour schemes and both languages, and
// without a horizontal scroll bar at 1280 px and on a phone of 360 px.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { axeProblems, openShop, signIn } from './console-visit.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

/** Twenty screens, each checked twice: on a busy machine that takes longer than a test usually may. */
const TIMEOUT_MS = 300_000
const { guest } = shop
/** Address and what shows that the screen has its data. */
const SCREENS = [
  ['', 'facts'],
  ['alarms', 'alarm-settings'],
  ['turns', 'turns'],
  [`turns/${guest.degradedId}`, 'story'],
  [`conversations?user=${guest.id}`, 'conversations'],
  [`conversations/${guest.sessionId}`, 'read-conversation'],
  ['handovers', 'take-handover'],
  ['models?hours=1', 'routing-proposal'],
  ['models/search', 'lane-reset'],
  [`models/${encodeURIComponent(shop.lane)}`, 'faults'],
  ['money?by=key,tag', 'usage'],
  ['people', 'block'],
  [`people/${guest.id}`, 'quota'],
  ['feedback', 'worst'],
  [`knowledge?q=${encodeURIComponent('泣ける完結作品 5000円以内')}`, 'ranking'],
  ['experiments', 'experiments'],
  ['experiments/short', 'experiment-start'],
  ['settings', 'mode-reduced'],
  ['nodes', 'nodes'],
  ['audit', 'audit'],
] as const

async function shown(page: Page, [path, testId]: (typeof SCREENS)[number]): Promise<void> {
  await page.goto(`${shop.server.address}/console/${path}`)
  await page.getByTestId(testId).first().waitFor()
  await page.getByTestId('age').waitFor()
}

/** Resolves when the page is no wider: what is drawn for a width is drawn again after a change of the window. */
const fits = async (page: Page, width: number, path: string): Promise<void> => {
  const widthOf = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await waitUntil(`${path} fits into ${width} px`, async () => (await widthOf()) <= width)
}

for (const [colorScheme, locale, lang] of [
  ['light', 'en-GB', 'en'],
  ['dark', 'ja-JP', 'ja'],
] as const) {
  test(
    `every screen is accessible and fits a phone, ${colorScheme} and in ${lang}`,
    { timeout: TIMEOUT_MS },
    async (context) => {
      const { page, problems } = await openBrowser(context, { colorScheme, locale })
      await signIn(page, shop)
      for (const screen of SCREENS) {
        await page.setViewportSize({ width: 1280, height: 860 })
        await shown(page, screen)
        assert.equal(await page.locator('html').getAttribute('lang'), lang)
        assert.deepEqual(await axeProblems(page), [], screen[0])
        await fits(page, 1280, screen[0])
        await page.setViewportSize({ width: 360, height: 740 })
        await fits(page, 360, screen[0])
        assert.deepEqual(await axeProblems(page), [], `${screen[0]} on a phone`)
      }
      assert.deepEqual(
        problems.filter((text) => !text.includes('401')),
        [],
      )
    },
  )
}

test('the name of an alarm has room beside a long condition, which is folded', async (context) => {
  const { page } = await openBrowser(context, { locale: 'en-GB', viewport: { width: 1280, height: 860 } })
  await signIn(page, shop)
  await shown(page, ['alarms', 'alarm-settings'])
  const rows = page.getByTestId('alarm-settings').locator('tbody tr')
  for (const row of await rows.all()) {
    const box = await row.boundingBox()
    assert.ok((box?.height ?? 0) < 80, `${box?.height} px: ${await row.textContent()}`)
  }
  const condition = rows.first().locator('details')
  assert.equal(await condition.locator('code').isVisible(), false)
  await condition.locator('summary').press('Enter')
  await condition.locator('code').waitFor()
})

test('on a phone the head scrolls with the page, and the menu has what it lacks', async (context) => {
  const { page } = await openBrowser(context, { locale: 'en-GB', viewport: { width: 360, height: 740 } })
  await signIn(page, shop)
  await shown(page, ['', 'facts'])
  assert.equal(await page.getByTestId('sign-out').isVisible(), false)
  await page.getByTestId('menu').click()
  await page.getByTestId('sign-out').waitFor()
  await page.evaluate('scrollTo(0, 400)')
  const head = await page.locator('header.head').boundingBox()
  assert.ok((head?.y ?? 0) + (head?.height ?? 0) < 0, JSON.stringify(head))
})

test('the sign-in and the dialog of a change are accessible', async (context) => {
  const { page } = await openBrowser(context)
  await page.goto(`${shop.server.address}/console`)
  await page.getByTestId('token').waitFor()
  assert.deepEqual(await axeProblems(page), [])
  await signIn(page, shop)
  await shown(page, [`people/${guest.id}`, 'quota'])
  await page.getByTestId('set-override').click()
  await page.getByTestId('reason').waitFor()
  assert.deepEqual(await axeProblems(page), [])
})

test('an unknown screen and a subject that does not exist say so', async (context) => {
  const { page } = await openBrowser(context, { locale: 'en-GB' })
  await signIn(page, shop)
  await page.goto(`${shop.server.address}/console/nothing`)
  await page.getByText('There is no such screen.').waitFor()
  await page.goto(`${shop.server.address}/console/models/nothing`)
  await page.getByText('Not found.').waitFor()
})
