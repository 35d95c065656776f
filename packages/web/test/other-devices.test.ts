// Another device in the same conversation, and a busy server: what a shopper sees of both on the built page.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'
import type { Visit } from './browser.ts'
import { startFakeServer, streaming } from './fake-server.ts'
import type { FakeServer } from './fake-server.ts'

let browser: Browser
let server: FakeServer
let visited: Visit
let page: Page

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())
beforeEach(async () => {
  server = await startFakeServer()
  visited = await visit(browser)
  page = visited.page
  await page.goto(server.url)
  server.script = streaming('はい。')
  await find('launcher').click()
  await ask('一つ目')
  await ended().waitFor()
})
afterEach(async () => {
  await visited.close()
  await server.close()
})

const find = (id: string): Locator => page.getByTestId(`chat-${id}`)
const ended = (): Locator => page.locator('[data-testid=chat-exchange][data-phase=ended]')

async function ask(question: string): Promise<void> {
  await find('input').fill(question)
  await find('input').press('Enter')
}

test('a turn of another device streams in here and can be stopped here, and a question here ends the notice', async () => {
  server.script = async (turn) => {
    turn.text('電話から、')
    await turn.stopped
    turn.done({ finishReason: 'stopped' })
  }
  server.say({ type: 'transferred', sessionId: 's1' })
  server.askElsewhere('電話での質問')
  await find('notice').filter({ hasText: '別の端末' }).waitFor()
  await find('answer').nth(1).filter({ hasText: '電話から、' }).waitFor()
  assert.deepEqual(await find('question').allInnerTexts(), ['一つ目', '電話での質問'])
  assert.ok(await find('input').isEnabled())
  await find('stop').click()
  await ended().nth(1).waitFor()
  assert.match(await find('end').innerText(), /停止しました/)
  server.script = streaming('こちらから。')
  await ask('三つ目')
  await ended().nth(2).waitFor()
  await find('notice').waitFor({ state: 'detached' })
  assert.deepEqual(visited.complaints, [])
})

test('a question that is asked during a pause is shown at once, and sent when the pause ends', async () => {
  server.say({ type: 'backpressure', action: 'pause', retryAfterMs: 60_000, message: '' })
  await find('notice').filter({ hasText: '混み合っています' }).waitFor()
  await ask('二つ目')
  await find('question').nth(1).waitFor()
  assert.deepEqual([await find('input').inputValue(), server.asked.length], ['', 1])
  server.say({ type: 'backpressure', action: 'none', retryAfterMs: 0, message: '' })
  await find('notice').waitFor({ state: 'detached' })
  await ended().nth(1).waitFor()
  assert.deepEqual(
    server.asked.map(({ message }) => message),
    ['一つ目', '二つ目'],
  )
})
