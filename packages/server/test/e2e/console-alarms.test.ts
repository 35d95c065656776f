// A model that is down, seen by an operator in a real Chromium: the alarm with its evidence and runbook, silenced with a reason, and the history of the lane
// with the vendor's words. That the alarm is resolved takes minutes: `test/long/console-alarm.test.ts`.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowser } from './browser.ts'
import { alarmsSoon, openShop, outage, signIn } from './console-visit.ts'

const shop = await openShop({ env: { ...alarmsSoon, MANGA_ALARMS__RUNBOOKURL: 'https://shop.example/runbooks/' } })
after(() => shop[Symbol.asyncDispose]())

test('an outage fires an alarm, which is silenced with a reason and explained by the history of the lane', async (context) => {
  const { server, simulator } = shop
  const { page, problems } = await openBrowser(context, { locale: 'en-GB' })
  const open = (path: string) => page.goto(`${server.address}/console/${path}`)
  await outage(shop)
  await signIn(page, shop, 'operator')
  const onNow = page.getByTestId('now-alarm').filter({ hasText: 'A model or dependency refuses calls' })
  await onNow.waitFor()
  // Colour alone would not say it.
  await page
    .getByRole('table', { name: 'Latest turns' })
    .getByText(/^degraded: /)
    .first()
    .waitFor()
  assert.equal(await page.getByTestId('now-refusals').getAttribute('href'), '/console/turns?kind=refusal')
  await onNow.getByRole('link').click()

  const firing = page.getByTestId('firing')
  await firing.getByText(/^primary: [\d.]+ (?:ms|s|min).* on \S+$/).waitFor()
  for (const condition of await page.getByTestId('alarm-settings').locator('summary').allTextContents())
    assert.doesNotMatch(condition, /ratio|seconds/)
  const runbook = firing.getByRole('link', { name: 'Runbook' }).first()
  assert.equal(await runbook.getAttribute('href'), 'https://shop.example/runbooks/lane-down.md')
  await firing.getByTestId('silence-lane-down').click()
  await page.getByTestId('reason').fill('the vendor knows')
  await page.getByTestId('confirm').click()
  await page.getByTestId('result').waitFor()
  await page.keyboard.press('Escape')
  await firing
    .getByText(/silent until/)
    .first()
    .waitFor()
  await open('')
  await onNow.getByText('silenced').waitFor()

  await open('models?hours=1')
  const fault = page.getByTestId('faults').locator('tr', { hasText: 'vendor unavailable' }).first()
  assert.match((await fault.textContent()) ?? '', /primary[^]*503/)
  await page.getByTestId('lanes').getByRole('link').first().click()
  await page
    .getByTestId('changes')
    .getByText(/calls of ten seconds failed/)
    .first()
    .waitFor()
  await page.locator('.phase-strip .open').first().waitFor({ state: 'attached' })
  const probes = page.getByTestId('probe-run')
  await probes.getByText(/^probes, \d+ failed, in /).waitFor()
  const single = probes.getByText('the probe failed').first()
  assert.equal(await single.isVisible(), false)
  await probes.locator('summary').press('Enter')
  await single.waitFor()
  await page.getByText(/^stopped for .*, 1×$/).waitFor()

  simulator.heal()
  await page.getByTestId('lane-reset').click()
  await page.getByTestId('reason').fill('the vendor is well again')
  await page.getByTestId('confirm').click()
  await page.getByTestId('result').waitFor()
  await page.keyboard.press('Escape')
  await page.getByTestId('changes').getByText('reset by aki-operator').waitFor()
  // The page asks who is signed in before anyone is.
  assert.deepEqual(
    problems.filter((text) => !text.includes('401')),
    [],
  )
})
