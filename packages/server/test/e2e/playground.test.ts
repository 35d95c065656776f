// The page to try settings of the chat in a real Chromium, in both languages: accessible, and what it writes is what was chosen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from './browser.ts'
import { axeProblems } from './console-visit.ts'
import { startServer, temporaryFolder } from './server-process.ts'

const LABELS = {
  '/playground': {
    theme: 'テーマ',
    open: 'チャットを開く',
    copy: 'コピー',
    done: /コピーしました|選択しました/,
  },
  '/en/playground': { theme: 'Theme', open: 'Open the chat', copy: 'Copy', done: /Copied|Selected/ },
} as const

test('the page is accessible in both languages, and a setting changes the chat and the tag', async (context) => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path })
  for (const [path, labels] of Object.entries(LABELS)) {
    const { page, problems } = await openBrowser(context, { viewport: { width: 390, height: 844 } })
    await page.goto(`${server.address}${path}`)
    await page.locator('manga-assist').waitFor({ state: 'attached' })
    assert.deepEqual(await axeProblems(page), [], path)
    await page.getByLabel(labels.theme).selectOption('dark')
    await page.getByTestId('tag').filter({ hasText: 'data-theme="dark"' }).waitFor()
    await page.locator('manga-assist[theme=dark]').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: labels.copy, exact: true }).click()
    await page.getByText(labels.done).waitFor()
    await page.getByRole('button', { name: labels.open }).click()
    await page.getByTestId('chat-input').waitFor()
    assert.deepEqual(problems, [], path)
  }
})
