// Answers that break parsers, in a real Chromium: each is shown in some way, and the panel keeps working.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { serve } from '#main.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { scriptedModel } from '#fixtures/models/scripted-model.ts'
import { openBrowser } from './browser.ts'
import { temporaryFolder } from './server-process.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'

const saying = (text: string): readonly ModelStep[] => [
  { type: 'message-start', model: 'scripted' },
  { type: 'text-delta', text },
  { type: 'message-end', stopReason: 'end' },
]
const ODD = ['>'.repeat(3), '- ', '* > ', '[', '**', '`', '![', '| '].map((mark) => `${mark.repeat(3000)}end`)

test('a failed rendering does not break the panel, also after a reload', async (context) => {
  await using folder = await temporaryFolder()
  const calls = [...ODD.map(saying), saying('An ordinary answer.')]
  const models = new Map([['embedded', scriptedModel(systemClock(), { calls })]])
  const env = {
    PORT: '0',
    DATA_DIR: folder.path,
    MANGA_SERVER__LOGLEVEL: 'silent',
    MANGA_TIERS__FREE__REQUESTSPERMINUTE: '100',
    // Odd texts have many estimated tokens.
    MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '1000000',
    MANGA_TOKENS__OUTPUTPERSESSIONMAX: '1000000',
  }
  lendIndex(folder.path)
  const serving = await serve({
    env,
    models,
    workspaceRoot: resolve(import.meta.dirname, '../../../..'),
    print: () => {},
  })
  context.after(() => serving.close())
  const { page, problems } = await openBrowser(context)
  await page.goto(serving.address)
  await page.getByTestId('chat-launcher').click()
  const input = page.getByTestId('chat-input')
  const exchange = page.locator('[data-testid=chat-exchange][data-phase=ended]')
  for (let asked = 0; asked < calls.length; asked += 1) {
    await input.fill(`Tell me about series number ${asked}, please`)
    await input.press('Enter')
    await exchange.nth(asked).waitFor()
  }
  const last = () => page.getByTestId('chat-exchange').last().getByTestId('chat-answer').textContent()
  assert.match((await last()) ?? '', /An ordinary answer/)
  await page.reload()
  await exchange.nth(calls.length - 1).waitFor()
  assert.match((await last()) ?? '', /An ordinary answer/)
  assert.match((await page.getByTestId('chat-answer').first().textContent()) ?? '', />>>>/)
  assert.deepEqual(problems, [])
})
