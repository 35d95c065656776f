// The page of the contracts in a real Chromium, under the policy that the server sends: everything on it works.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFrames, errorCodes, serverFrames } from '@mangaassist/protocol'
import { openBrowser } from './browser.ts'
import { startServer, temporaryFolder } from './server-process.ts'

test('the page shows every route, frame and error, and every link on it leads somewhere', async (context) => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path })
  const { page, problems } = await openBrowser(context, { viewport: { width: 390, height: 844 } })
  await page.goto(`${server.address}/docs#error-NOT_FOUND`)
  await page.locator('#shapes').waitFor()
  const contract = (await (await fetch(`${server.address}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods))
  const ids = [
    ...operations.map(({ operationId }) => operationId),
    ...Object.keys({ ...clientFrames, ...serverFrames }).map((type) => `frame-${type}`),
    ...errorCodes.map((code) => `error-${code}`),
  ]
  for (const id of ids) assert.equal(await page.locator(`[id="${id}"]`).count(), 1, id)
  await page.getByText('お探しのものは見つかりませんでした。').waitFor()
  const hrefs = await page
    .locator('a[href^="#"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const anchors = new Set(await page.locator('[id]').evaluateAll((places) => places.map(({ id }) => `#${id}`)))
  assert.ok(hrefs.length > 100)
  const astray = hrefs.filter((href) => !anchors.has(href ?? ''))
  assert.deepEqual(astray, [])
  assert.deepEqual(problems, [])
})
