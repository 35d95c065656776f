// The chat in a frame on pages of another site, in a real Chromium against the real server: the page's policy allows our script and our
// frame and nothing else, and the browser denies the frame a storage of its own.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SessionSummary, Ticket } from '@mangaassist/protocol'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { cardsShown, openBrowser } from './browser.ts'
import { startServer, temporaryFolder } from './server-process.ts'

const QUESTION = '進撃の巨人が好きなら次は何を読む？'

const host = createServer((_request, response) => {
  const { address } = server
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; script-src ${address}; frame-src ${address}; require-trusted-types-for 'script'; trusted-types 'none'`,
  )
  response.end(
    `<!doctype html><html lang="ja"><title>よその店</title><h1>よその店</h1><script src="${address}/widget.js" data-mode="iframe" async></script>`,
  )
})
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
const { port } = host.address() as AddressInfo
const origin = `http://localhost:${port}`

const opened = new AsyncDisposableStack()
opened.defer(() => void host.close())
after(() => opened.disposeAsync())
const folder = opened.use(await temporaryFolder())
const server = opened.use(
  await startServer({
    dataDir: folder.path,
    env: { MANGA_SERVER__ALLOWEDORIGINS: origin, MANGA_ANSWERS__FRESHMS: '1' },
  }),
)

const ended = (page: Page, count: number) =>
  page
    .frameLocator('manga-assist iframe')
    .locator('[data-testid=chat-exchange][data-phase=ended]')
    .nth(count - 1)
    .waitFor()

/** For frames, whatever the settings of the browser are. */
const DENIED_STORAGE = `if (window.parent !== window)
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      configurable: true,
      get() { throw new DOMException('Access is denied for this document.', 'SecurityError') },
    })`

test('a shopper asks in the frame, and after a reload the same guest finds the conversation and continues it', async (context) => {
  const { page, problems } = await openBrowser(context)
  await page.addInitScript(DENIED_STORAGE)
  await page.goto(origin)
  const frame = page.frameLocator('manga-assist iframe')
  await frame.getByTestId('chat-launcher').click()
  const input = frame.getByTestId('chat-input')
  await input.fill(QUESTION)
  await input.press('Enter')
  await ended(page, 1)
  const answer = (await frame.getByTestId('chat-answer').textContent()) ?? ''
  assert.match(answer, /『進撃の巨人』/u)
  await cardsShown(frame, 3)

  await page.reload()
  await ended(page, 1)
  assert.equal(await frame.getByTestId('chat-answer').textContent(), answer)
  await cardsShown(frame, 3)
  await input.fill('もっと短いのは？')
  await input.press('Enter')
  await ended(page, 2)

  const kept = await page.evaluate<string>(`localStorage.getItem('mangaassist:${server.address}')`)
  const { guestToken } = JSON.parse(kept) as { guestToken: string }
  assert.deepEqual(await versionsOf(guestToken), [2], 'both questions are of one conversation of one guest')
  assert.deepEqual(await page.context().cookies(), [])
  assert.deepEqual(problems, [])
})

test('on a page of an origin that is not allowed nothing is shown, and the page hears which one to add', async (context) => {
  const { page, problems } = await openBrowser(context)
  const other = `http://127.0.0.1:${port}`
  await page.addInitScript(
    `document.addEventListener('manga-assist-error', ({ detail }) => (document.title = detail.reason))`,
  )
  await page.goto(other)
  await waitUntil('the page hears of it', async () => (await page.title()) === 'panel-unavailable')
  await waitUntil('the console has the reason', () => problems.some((problem) => problem.includes('MangaAssist')))
  assert.ok(problems.some((problem) => problem.includes(`Add "${other}" to its server.allowedOrigins`)))
  await waitUntil('and the browser’s', () => problems.some((problem) => problem.includes('frame-ancestors')))
  assert.equal(await page.locator('manga-assist iframe').isVisible(), false)
})

/** The versions of the guest's conversations. */
async function versionsOf(guestToken: string): Promise<number[]> {
  const response = await fetch(`${server.address}/api/ticket`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ guestToken }),
  })
  const { ticket } = ((await response.json()) as { data: Ticket }).data
  const sessions = await fetch(`${server.address}/api/sessions`, {
    headers: { origin, authorization: `Bearer ${ticket}` },
  })
  return ((await sessions.json()) as { data: SessionSummary[] }).data.map(({ version }) => version)
}
