// A revoked key, seen by an operator in a real Chromium: every screen says in words which model its vendor rejects and why, and none says that it works.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowser } from './browser.ts'
import { openShop, signIn } from './console-visit.ts'
import { postChat } from './server-process.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const CAUSE = /vendor rejects the key \(HTTP 403\), \d+ in a row/

test('a model whose key is refused is red by its configured name and the cause on every screen that shows it', async (context) => {
  const { server, simulator } = shop
  simulator.faults({ fault: 'error', error: 'access-denied', api: 'converse-stream' })
  for (let question = 0; question < 3; question += 1)
    await postChat(server.address, { message: `${question + 2}巻はありますか？` })
  const { page, problems } = await openBrowser(context, { locale: 'en-GB' })
  await signIn(page, shop, 'viewer')
  const lanes = page.getByTestId('now-lanes')
  const first = lanes.getByRole('row').nth(1)
  await first.locator('.badge.bad', { hasText: CAUSE }).waitFor()
  const row = (await first.textContent()) ?? ''
  assert.match(row, /^\s*primary\s/)
  assert.doesNotMatch(row, /working|:\d+|anthropic/)
  assert.match((await lanes.textContent()) ?? '', /economy\s*working/)
  // Begins ten seconds after the start.
  await page.getByTestId('now-degraded').locator('..').getByText('key rejected').waitFor()
  // The figure of the day and that of the ceiling are the same money.
  const spent = /Spent today\s*(\$[\d.]+)/.exec((await page.getByTestId('facts').textContent()) ?? '')?.[1] ?? ''
  assert.match(spent, /^\$0\.0\d+$/)
  await page.locator('.budget', { hasText: 'Whole shop' }).getByText(`${spent} + $`).waitFor()
  for (const [screen, testId] of [
    ['models', 'lanes'],
    ['models', 'model-figures'],
    ['nodes', 'nodes'],
  ] as const) {
    await page.goto(`${server.address}/console/${screen}`)
    await page.getByTestId(testId).locator('.badge.bad', { hasText: CAUSE }).waitFor()
  }
  await page.getByText(/^primary: vendor rejects the key/).waitFor()
  await page.goto(`${server.address}/console/models/${encodeURIComponent(shop.lane)}`)
  await page.getByRole('heading', { level: 1, name: 'primary', exact: true }).waitFor()
  await page.locator('dd .badge.bad', { hasText: CAUSE }).waitFor()
  // The page asks who is signed in before anyone is.
  assert.deepEqual(
    problems.filter((text) => !text.includes('401')),
    [],
  )
})
