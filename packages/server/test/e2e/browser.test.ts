// The page in a real Chromium against the real server: ask, read, reload.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from './browser.ts'
import { startServer, temporaryFolder } from './server-process.ts'

test('a shopper asks on the page, reads the answer, and finds it again after a reload', async (context) => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path })
  const { page, problems } = await openBrowser(context)
  await page.goto(server.address)
  const input = page.getByRole('textbox')
  await input.fill('こんにちは')
  await input.press('Enter')
  await page.getByText('いらっしゃいませ').waitFor()
  await page.reload()
  await page.getByText('いらっしゃいませ').waitFor()
  assert.deepEqual(problems, [])
})
