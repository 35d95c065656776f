// The console with the keyboard alone, in a real Chromium: wherever a screen changes under the focus, the focus lands where its user expects it, and what
// was typed stays while the screen polls.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { openShop, signIn } from './console-visit.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const { guest } = shop
const ENGLISH = { locale: 'en-GB' }

const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${shop.server.address}/console/${path}`)
  await page.getByTestId('age').waitFor()
}

/** The element with the focus: its tag, and what it says. */
const focused = (page: Page) =>
  page.evaluate<string>('`${document.activeElement.localName} ${document.activeElement.textContent.trim()}`')
const focusIs = (page: Page, wanted: string, where: string) =>
  waitUntil(`the focus is at ${wanted} ${where}`, async () => (await focused(page)) === wanted)

const LISTS = [
  '',
  'turns',
  'models',
  'money',
  'money?by=user',
  'money?by=model',
  'feedback',
  'experiments',
  `conversations?user=${guest.id}`,
  `people/${guest.id}`,
]

test('a followed row moves the focus to the heading of what it opened, and Back returns it to the row', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  for (const path of LISTS) {
    await open(page, path)
    const row = page.locator('main [data-rove]').last()
    await row.focus()
    const followed = await focused(page)
    assert.match(followed, /^a ./, path)
    const left = page.url()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.href !== left)
    await page.getByTestId('age').waitFor()
    // The heading may still be that of the screen before, or change as its data arrive.
    await waitUntil(`the focus is at the heading after a row of ${path}`, async () => {
      const heading = await page.locator('main h1').innerText()
      return (await focused(page)) === `h1 ${heading}`
    })
    await page.goBack()
    await focusIs(page, followed, `back in ${path}`)
  }
})

test('the link from one subject to all of them leads to its row', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await open(page, 'models')
  const row = page.getByTestId('lanes').getByRole('link').nth(1)
  const name = await row.innerText()
  await row.press('Enter')
  await page.getByRole('link', { name: 'All models' }).press('Enter')
  await focusIs(page, `a ${name}`, 'in the list')
})

test('an applied filter leaves the focus where the operator works, and so does another choice of time', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  for (const [path, field, value] of [
    ['money', 'tag', 'newsletter'],
    ['knowledge', 'q', '泣ける完結作品'],
    ['audit', 'subject', 'service'],
    ['turns?kind=turn', 'user', guest.id],
  ] as const) {
    await open(page, path)
    await page.locator(`main [name=${field}]`).fill(value)
    await page.getByTestId('apply').press('Enter')
    await page.waitForURL((url) => url.searchParams.get(field) === value)
    await focusIs(page, 'button Apply', `in ${path}`)
  }
  await open(page, 'models')
  await page.getByRole('link', { name: 'Last 6 hours' }).press('Enter')
  await page.waitForURL(/hours=6/)
  await focusIs(page, 'a Last 6 hours', 'in the models')
})

test('signing in, and a change whose button is gone afterwards, leave the focus in the screen', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await focusIs(page, 'h1 Now', 'after signing in')
  await open(page, `people/${guest.id}`)
  await page.getByTestId('block').press('Enter')
  await page.getByTestId('reason').fill('floods us')
  await page.getByTestId('confirm').press('Enter')
  await page.getByTestId('close').press('Enter')
  await page.getByTestId('unblock').waitFor()
  await focusIs(page, `h1 ${guest.id}`, 'after the block')
  await page.getByTestId('unblock').press('Enter')
  await page.getByTestId('reason').fill('it was a misunderstanding')
  await page.getByTestId('confirm').press('Enter')
  await page.getByTestId('close').press('Enter')
  await page.getByTestId('block').waitFor()
})

test('what is typed into a filter stays while the list is loaded again', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await page.clock.install()
  await signIn(page, shop)
  await open(page, 'turns?live=1&kind=any')
  await page.locator('main [name=user]').fill('guest_half_typ')
  await page.locator('main [name=kind]').selectOption('refusal')
  const loaded = page.waitForResponse(/since=/)
  await page.clock.runFor(2500)
  await loaded
  await page.clock.runFor(2500)
  assert.equal(await page.locator('main [name=user]').inputValue(), 'guest_half_typ')
  assert.equal(await page.locator('main [name=kind]').inputValue(), 'refusal')
})

test('a change that failed keeps its fields for another try', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await open(page, 'money')
  await page.getByTestId('tier-free').click()
  await page.locator('dialog [name=requestsPerMinute]').fill('7')
  await page.getByTestId('reason').fill('a storm of bots')
  await page.route('**/api/admin/tiers/**', (route) => route.abort())
  await page.getByTestId('confirm').click()
  await page.getByTestId('problem').waitFor()
  assert.equal(await page.locator('dialog [name=requestsPerMinute]').inputValue(), '7')
  assert.equal(await page.getByTestId('reason').inputValue(), 'a storm of bots')
})
