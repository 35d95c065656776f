// Every screen of the console in a real Chromium: free of axe-core's violations in both colour schemes and both languages, and
// without a horizontal scroll bar on a phone of 360 px.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { axeProblems, openShop, signIn } from './console-visit.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const { guest } = shop
/** Address and what shows that the screen has its data. */
const SCREENS = [
  ['', 'facts'],
  ['alarms', 'alarm-settings'],
  ['turns', 'turns'],
  [`turns/${guest.degradedId}`, 'story'],
  [`conversations?user=${guest.id}`, 'conversations'],
  [`conversations/${guest.sessionId}`, 'read-conversation'],
  ['models', 'lanes'],
  ['models/search', 'lane-reset'],
  ['money?by=model', 'usage'],
  ['people', 'block'],
  [`people/${guest.id}`, 'quota'],
  ['feedback', 'worst'],
  ['knowledge', 'age'],
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

for (const [colorScheme, locale, lang] of [
  ['light', 'en-GB', 'en'],
  ['dark', 'ja-JP', 'ja'],
] as const) {
  test(`every screen is accessible and fits a phone, ${colorScheme} and in ${lang}`, async (context) => {
    const { page, problems } = await openBrowser(context, { colorScheme, locale })
    await signIn(page, shop)
    for (const screen of SCREENS) {
      await page.setViewportSize({ width: 1280, height: 860 })
      await shown(page, screen)
      assert.equal(await page.locator('html').getAttribute('lang'), lang)
      assert.deepEqual(await axeProblems(page), [], screen[0])
      await page.setViewportSize({ width: 360, height: 740 })
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(wide <= 360, `${screen[0]}: ${wide} px`)
      assert.deepEqual(await axeProblems(page), [], `${screen[0]} on a phone`)
    }
    assert.deepEqual(
      problems.filter((text) => !text.includes('401')),
      [],
    )
  })
}

test('the sign-in and the dialog of a change are accessible', async (context) => {
  const { page } = await openBrowser(context)
  await page.goto(`${shop.server.address}/console`)
  await page.getByTestId('token').waitFor()
  assert.deepEqual(await axeProblems(page), [])
  await signIn(page, shop)
  await shown(page, [`people/${guest.id}`, 'quota'])
  await page.getByTestId('set-override').click()
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
