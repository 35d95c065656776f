// An alarm of a real server from its beginning to its end, as an operator sees it in a real Chromium. A server that has just started waits some
// minutes before it resolves an alarm, so this takes four.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowser } from '../e2e/browser.ts'
import { alarmsSoon, openShop, outage, signIn } from '../e2e/console-visit.ts'

const RESOLVED_WITHIN_MS = 600_000

const shop = await openShop({ env: alarmsSoon })
after(() => shop[Symbol.asyncDispose]())

test('an alarm fires while a model is down, and is among the last ones when the model is well again', async (context) => {
  const { page } = await openBrowser(context, { locale: 'en-GB' })
  await outage(shop)
  await signIn(page, shop, 'operator')
  await page.getByTestId('now-alarm').first().waitFor()
  shop.simulator.heal()
  await page.goto(`${shop.server.address}/console/models`)
  await page.getByTestId('lanes').getByRole('link').first().click()
  await page.getByTestId('lane-reset').click()
  await page.getByTestId('reason').fill('the vendor is well again')
  await page.getByTestId('confirm').click()
  await page.getByTestId('result').waitFor()
  await page.goto(`${shop.server.address}/console/alarms`)
  const past = page.getByTestId('past-alarms').getByText('A model or dependency refuses calls')
  await past.waitFor({ timeout: RESOLVED_WITHIN_MS })
  assert.equal(
    await page
      .getByTestId('firing')
      .getByText(/^primary: /)
      .count(),
    0,
  )
  await page.goto(`${shop.server.address}/console`)
  await page.getByTestId('facts').waitFor()
  assert.equal(await page.getByTestId('now-alarm').count(), 0)
})
