// The widget on a page of another site, with a strict policy, aggressive styles and no cookies of ours: the chat works,
// and neither side's styles change the other.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'
import { cards } from './fake-api.ts'
import { startHostPage } from './fake-files.ts'
import { startFakeServer, streaming } from './fake-server.ts'

/** Longer than the chat waits for a page's token. */
const tokenTimeoutMs = 11_000
let browser: Browser

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

async function setUp(attributes?: string) {
  const server = await startFakeServer()
  const host = await startHostPage(server.url, attributes)
  const { page, complaints, complained, close } = await visit(browser)
  await page.goto(host.url)
  return {
    server,
    page,
    complaints,
    complained,
    async [Symbol.asyncDispose]() {
      await close()
      await host.close()
      await server.close()
    },
  }
}

test('the chat answers on another site, with a ticket as its credential', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.script = streaming('Yes: [Akira](/series/akira).', { meta: { products: cards(['akira'], 'en') } })
  await page.getByTestId('chat-launcher').click()
  assert.deepEqual(server.requests, [], 'nobody is made a guest before the first question')
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.locator('[data-phase=ended]').waitFor()
  assert.match(server.socketUrls[0] ?? '', /^\/ws\?ticket=ticket-\d+$/)
  const link = page.getByTestId('chat-answer').getByRole('link')
  assert.equal(await link.getAttribute('href'), `${server.url}/en/series/akira`)
  assert.deepEqual(
    [await link.getAttribute('target'), await link.getAttribute('rel')],
    ['_blank', 'noopener noreferrer nofollow'],
  )
  assert.equal(
    await page.getByTestId('chat-card').getByRole('link').getAttribute('href'),
    `${server.url}/en/series/akira`,
  )
  assert.deepEqual(await page.context().cookies(), [], 'no cookie of a third party is needed')
  assert.deepEqual(complaints, [])
})

test('thumbs and opened cards are sent with a ticket of the same guest', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.script = streaming('Yes: Akira.', { meta: { products: cards(['akira'], 'en') } })
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.getByTestId('chat-rating').waitFor()
  const path = (name: string) => `**/api/turns/t1/${name}`
  const [sent] = await Promise.all([
    page.waitForResponse(path('feedback')),
    page.getByTestId('chat-thumb-down').click(),
  ])
  assert.match((await sent.request().allHeaders())['authorization'] ?? '', /^Bearer ticket-\d+$/)
  await Promise.all([
    page.waitForResponse(path('opened')),
    page.context().waitForEvent('page'),
    page.getByTestId('chat-card').getByRole('link').click(),
  ])
  assert.deepEqual(server.calls, [
    ['/api/turns/t1/feedback', { value: 'down', sessionId: 's1' }],
    ['/api/turns/t1/opened', { productId: 'akira', sessionId: 's1' }],
  ])
  assert.deepEqual(complaints, [])
})

test('after a reload the guest and the conversation are the same', async () => {
  await using setting = await setUp()
  const { server, page } = setting
  server.script = streaming('Yes.')
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.locator('[data-phase=ended]').waitFor()
  const stored = () => page.evaluate(() => Object.values(localStorage).join())
  const guest = /guest-\d+/.exec(await stored())?.[0]
  server.session = { turns: [{ turnId: 't1', question: 'Akira?', answer: 'Yes.', finishReason: 'stop', products: [] }] }
  const asked = page.waitForRequest('**/api/sessions/s1')
  await page.reload()
  assert.match((await (await asked).allHeaders())['authorization'] ?? '', /^Bearer ticket-\d+$/)
  await page.getByTestId('chat-answer').filter({ hasText: 'Yes.' }).waitFor()
  assert.ok(guest !== undefined && (await stored()).includes(guest))
})

test('neither side’s styles affect the other', async () => {
  await using setting = await setUp()
  const { page } = setting
  const launcher = page.getByTestId('chat-launcher')
  const style = await launcher.evaluate((button) => {
    const { fontFamily, fontSize, letterSpacing, color, display } = getComputedStyle(button)
    const { right, bottom } = button.getBoundingClientRect()
    const { opacity, transform } = getComputedStyle((button.getRootNode() as ShadowRoot).host)
    const around = { opacity, transform, right: innerWidth - right, bottom: innerHeight - bottom }
    return { fontFamily, fontSize, letterSpacing, color, display, ...around }
  })
  assert.deepEqual([style.fontSize, style.opacity, style.transform], ['15px', '1', 'none'])
  assert.ok(!style.fontFamily.includes('fantasy'), style.fontFamily)
  assert.deepEqual([style.letterSpacing, style.display, style.right, style.bottom], ['normal', 'flex', 20, 20])
  assert.notEqual(style.color, 'rgb(0, 255, 0)')
  const heading = await page.locator('h1').evaluate((element) => getComputedStyle(element).color)
  assert.equal(heading, 'rgb(0, 255, 0)')
  assert.equal(await page.locator('body > *').count(), 3)
})

test('the widget reads its settings from the tag', async () => {
  const appearance = 'data-language="ja" data-position="left" data-accent="#0a6b3d" data-theme="dark" data-open="false"'
  const texts = 'data-greeting="夏のフェア開催中です。" data-suggestions="送料は？| |新刊は？"'
  await using setting = await setUp(`${appearance} ${texts}`)
  const { page } = setting
  const launcher = page.getByRole('button', { name: '漫画アシスタントに相談する' })
  const style = await launcher.evaluate((button) => {
    const { backgroundColor, color, colorScheme } = getComputedStyle(button)
    return { backgroundColor, color, colorScheme, left: button.getBoundingClientRect().left }
  })
  const fill = { backgroundColor: 'rgb(10, 107, 61)', color: 'rgb(255, 255, 255)' }
  assert.deepEqual(style, { ...fill, colorScheme: 'dark', left: 20 })
  await launcher.click()
  await page.getByText('夏のフェア開催中です。').waitFor()
  assert.equal(await page.locator('manga-assist').getByRole('heading', { level: 3 }).count(), 1, 'our heading stays')
  assert.deepEqual(await page.getByTestId('chat-suggestion').allInnerTexts(), ['送料は？', '新刊は？'])
})

test('the page hears of the chat by events without texts, and styles its parts', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.script = streaming('Yes: Akira.', { meta: { products: cards(['akira'], 'en') } })
  await page.evaluate(() => {
    const received: [string, unknown][] = []
    for (const name of ['open', 'close', 'ask', 'answer', 'language'])
      document.addEventListener(`manga-assist-${name}`, (event) => received.push([name, (event as CustomEvent).detail]))
    Object.assign(globalThis, { received })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('manga-assist::part(launcher) { border-radius: 3px } manga-assist { --ma-question: #123456 }')
    document.adoptedStyleSheets = [sheet]
  })
  const launcher = page.getByTestId('chat-launcher')
  assert.equal(await launcher.evaluate((button) => getComputedStyle(button).borderRadius), '3px')
  await launcher.click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.locator('[data-phase=ended]').waitFor()
  await page.getByTestId('chat-card').waitFor()
  const shown = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('manga-assist') ?? {}
    const parts = [...(shadowRoot?.querySelectorAll('[part]') ?? [])].map((part) => part.getAttribute('part') ?? '')
    return [...new Set(parts)].toSorted((a, b) => a.localeCompare(b))
  })
  assert.deepEqual(shown, ['answer', 'card', 'composer', 'head', 'launcher', 'log', 'panel', 'question'])
  await page.getByTestId('chat-language').click()
  await page.getByTestId('chat-close').click()
  await launcher.waitFor()
  assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { received: unknown }).received), [
    ['open', null],
    ['ask', null],
    ['answer', { turnId: 't1', products: 1 }],
    ['language', { language: 'ja' }],
    ['close', null],
  ])
  assert.deepEqual(complaints, [])
})

test('the chat is placed once, however often its tag is there, and leaves nothing behind', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.script = streaming('Yes: Akira.', { meta: { products: cards(['akira'], 'en') } })
  const address = page.url()
  await page.goto(new URL('/rude.css', address).href)
  const without = await globalNames(page)
  await page.goto(address)
  await page.evaluate(async (src) => {
    const script = document.createElement('script')
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } }
    }
    script.src = trustedTypes.createPolicy('host', { createScriptURL: (url: string) => url }).createScriptURL(src)
    const loaded = new Promise((resolve) => script.addEventListener('load', resolve))
    document.head.append(script)
    await loaded
  }, `${server.url}/widget.js`)
  assert.equal(await page.locator('manga-assist').count(), 1)
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.getByTestId('chat-card').waitFor()
  await page.getByTestId('chat-history').click()
  await page.getByTestId('chat-history-back').waitFor()
  const added = (await globalNames(page)).filter((name) => !without.includes(name))
  assert.deepEqual(added, [], 'globals')
  await page.evaluate(() => document.querySelector('manga-assist')?.remove())
  assert.equal(await page.locator('link[rel=modulepreload]').count(), 0)
  assert.deepEqual(complaints, [])
})

/** What is on the page's global object, also what cannot be enumerated, and the well-known symbols. */
async function globalNames(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [globalThis, Symbol].flatMap((object) => Reflect.ownKeys(object)).map(String))
}

test('a page that is older than the server uses the current panel, and says so when there is none', async () => {
  await using setting = await setUp()
  const { server, page } = setting
  const built = /\/widget\/panel-[^/?]+\.js(?:\?again=.*)?$/
  // The panel of the build that the page was loaded from is missing; the one that the manifest names is served.
  await page.route(built, (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-launcher-note').filter({ hasText: 'could not be loaded' }).waitFor()
  assert.equal(await page.locator('manga-assist').getAttribute('open'), null)
  const { panel, ...manifest } = JSON.parse(readFileSync(new URL('../dist/widget.json', import.meta.url), 'utf8'))
  const moved = { ...panel, path: `${panel.path}?next` }
  await page.route(`${server.url}/widget.json`, (route) =>
    route.fulfill({
      json: { ...manifest, panel: moved },
      headers: { 'access-control-allow-origin': '*' },
    }),
  )
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').waitFor()
  await page.getByTestId('chat-launcher-note').waitFor({ state: 'hidden' })
})

test('a signed-in user is known by a token, and the next person sees nothing of the conversation', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.script = streaming('Your parcel is on its way.')
  const member = `e30.${Buffer.from('{"iss":"i","sub":"s"}').toString('base64url')}.x`
  await page.evaluate((token) => {
    const element = document.querySelector('manga-assist')
    if (element !== null) element.getToken = async () => token
  }, member)
  await page.getByTestId('chat-launcher').click()
  const exchanged = page.waitForRequest('**/api/ticket')
  await page.getByTestId('chat-input').fill('Where is it?')
  await page.getByTestId('chat-send').click()
  assert.equal((await (await exchanged).allHeaders())['authorization'], `Bearer ${member}`)
  await page.locator('[data-phase=ended]').waitFor()
  assert.ok(!(await page.content()).includes(member), 'the token is in the markup')
  await page.evaluate(() => {
    const element = document.querySelector('manga-assist')
    if (element !== null) element.getToken = null
  })
  await page.getByTestId('chat-suggestion').first().waitFor()
  assert.equal(await page.getByTestId('chat-exchange').count(), 0)
  assert.ok(!(await page.evaluate(() => Object.values(localStorage).join())).includes('"sessionId":"s1"'))
  const reason = await page.evaluate(async () => {
    const failed = new Promise<string>((resolve) => {
      document.addEventListener('manga-assist-error', ({ detail }) => resolve(detail.reason))
    })
    const element = document.querySelector('manga-assist')
    if (element !== null) element.getToken = async () => Promise.reject(new Error('The shop does not answer.'))
    return failed
  })
  assert.equal(reason, 'token-unavailable')
  assert.deepEqual(complaints, [])
})

test('a token that never comes fails the question calmly, and a retry asks for it again', async () => {
  await using setting = await setUp()
  const { server, page, complaints } = setting
  server.script = streaming('Your parcel is on its way.')
  await page.clock.install()
  await page.reload()
  await page.evaluate(() => {
    const element = document.querySelector('manga-assist')
    if (element !== null) element.getToken = () => new Promise(() => {})
    document.addEventListener('manga-assist-error', ({ detail }) =>
      document.body.setAttribute('data-error', detail.reason),
    )
  })
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Where is it?')
  await page.getByTestId('chat-send').click()
  await page.getByTestId('chat-waiting').waitFor()
  await page.clock.fastForward(tokenTimeoutMs)
  await page.getByTestId('chat-end').waitFor()
  assert.match(await page.getByTestId('chat-end').innerText(), /could not be reached/)
  await page.locator('body[data-error=token-unavailable]').waitFor()
  assert.deepEqual(server.requests, [], 'nobody is made a guest instead')
  await page.evaluate(() => {
    const element = document.querySelector('manga-assist')
    if (element !== null) element.getToken = async () => null
  })
  await page.getByTestId('chat-retry').click()
  await page.getByTestId('chat-answer').filter({ hasText: 'Your parcel' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('on a page that is not allowed, the chat says so at once, and the console says what to configure', async () => {
  await using setting = await setUp()
  const { server, page } = setting
  server.closedToOthers = true
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill('Akira?')
  await page.getByTestId('chat-send').click()
  await page.getByTestId('chat-end').waitFor()
  assert.match(await page.getByTestId('chat-end').innerText(), /not available on this page|ご利用いただけません/)
  assert.equal(await page.getByTestId('chat-retry').count(), 0)
  const origin = new URL(page.url()).origin
  await setting.complained(new RegExp(`${origin}.*server\\.allowedOrigins`, 's'))
  assert.equal(server.requests.length, 1)
})
