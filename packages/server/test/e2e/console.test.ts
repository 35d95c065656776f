// The operator's console in a real Chromium against a real server: signing in, acting with the keyboard alone, a lost connection, a
// hidden tab, roles, and untrusted text. console-screens.test.ts checks every screen.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { openShop, signIn } from './console-visit.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { postChat } from './server-process.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const ENGLISH = { locale: 'en-GB' }

const open = (page: Page, path: string) => page.goto(`${shop.server.address}/console/${path}`)
const settled = (page: Page) => page.getByTestId('age').waitFor()
const ofApi = (request: Request): boolean => request.url().includes('/api/admin/')
/** The two keys at once, as by a quick typist: the second counts only soon after the first. */
const goTo = ({ keyboard }: Page, letter: string) => Promise.all([keyboard.press('g'), keyboard.press(letter)])
/** From here on the page's time moves only by `runFor`. */
const stopTime = async (page: Page) => page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1000)
/** A page logs each refused request; these tests cause some. */
const serious = (problems: readonly string[]) => problems.filter((text) => !text.includes('Failed to load resource'))

test('an operator signs in with a token, which no storage keeps, and the session survives a reload', async (context) => {
  const { page, problems } = await openBrowser(context, ENGLISH)
  await page.goto(`${shop.server.address}/console`)
  await page.getByTestId('token').fill('maa_wrong')
  await page.getByTestId('sign-in').click()
  await page.getByTestId('problem').getByText('not accepted').waitFor()
  await signIn(page, shop)
  assert.equal(await page.getByTestId('who').textContent(), 'aki-admin (admin)')
  await page.reload()
  await page.getByTestId('who').waitFor()
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  assert.doesNotMatch(kept, /maa_|ma_op/)
  await page.getByTestId('sign-out').click()
  await page.getByTestId('token').waitFor()
  await page.reload()
  await page.getByTestId('token').waitFor()
  assert.deepEqual(serious(problems), [])
})

test('with the keyboard alone: to a lane, force it open with a reason, find it in the audit, and reset it', async (context) => {
  const { page, problems } = await openBrowser(context, ENGLISH)
  const { keyboard } = page
  await page.goto(`${shop.server.address}/console`)
  await page.getByTestId('token').waitFor()
  await keyboard.type('maa_operator')
  await keyboard.press('Enter')
  await settled(page)
  await goTo(page, 'm')
  await page.getByTestId('lanes').waitFor()
  await page.locator('[data-rove]').first().focus()
  await keyboard.press('End')
  await keyboard.press('k')
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await page.getByTestId('lane-force-open').waitFor()
  await page.getByTestId('lane-force-open').focus()
  await keyboard.press('Enter')
  await page.getByTestId('reason').and(page.locator(':focus')).waitFor()
  const changed = page.waitForRequest((request) => ofApi(request) && request.method() === 'POST')
  await keyboard.type('the vendor asked for it')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  const headers = await (await changed).allHeaders()
  assert.ok((headers['x-csrf-token'] ?? '').length > 10, 'the CSRF token is sent')
  assert.equal(headers['authorization'], undefined)
  await page.getByTestId('result').waitFor()
  await keyboard.press('Escape')
  await page.locator('.badge', { hasText: 'stopped by an operator' }).waitFor()

  await keyboard.press('/')
  await keyboard.type('guest_')
  await keyboard.press('ArrowDown')
  await keyboard.press('Escape')
  await keyboard.press('?')
  await page.getByTestId('help').waitFor()
  await keyboard.press('Escape')
  await goTo(page, 'a')
  await page.getByTestId('audit').getByText('the vendor asked for it').first().waitFor()
  await page.goBack()
  await page.getByTestId('lane-reset').focus()
  await keyboard.press('Enter')
  await page.getByTestId('reason').fill('it is well again')
  await page.getByTestId('confirm').press('Enter')
  await page.getByTestId('audit-link').press('Enter')
  await page.getByTestId('audit').getByText('it is well again').first().waitFor()
  assert.deepEqual(serious(problems), [])
})

test('the search offers what is stored, and invents no person', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await settled(page)
  await page.getByTestId('find').fill('bob')
  await page.getByTestId('find').press('Enter')
  await page.getByTestId('find-nothing').getByText('Nothing is stored under “bob”').waitFor()
  assert.equal(await page.getByTestId('find-targets').count(), 0)
  assert.match(page.url(), /\/console\/?$/)
  await page.getByTestId('find').fill(shop.guest.id)
  const offered = page.getByTestId('find-targets').getByRole('link')
  await offered.first().waitFor()
  assert.deepEqual(await offered.allTextContents(), [`Person ${shop.guest.id}`, `Turns of user ${shop.guest.id}`])
  await page.getByTestId('find').fill('economy')
  await page.getByTestId('find').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'economy', exact: true }).waitFor()
  await open(page, 'people/bob')
  await page.getByTestId('unknown-person').waitFor()
  await page.getByTestId('block').click()
  await page.getByTestId('reason').fill('abuse')
  await page.getByTestId('confirm').click()
  await page
    .getByTestId('problem')
    .getByText(/target must be user:ISSUER:ID, key:NAME, guest_…/)
    .waitFor()
})

test('every screen says in which zone its times are, and its days', async (context) => {
  const { page } = await openBrowser(context, { ...ENGLISH, timezoneId: 'America/New_York' })
  await signIn(page, shop)
  await settled(page)
  assert.equal(await page.getByTestId('zones').textContent(), 'Times: America/New_York, days: Asia/Tokyo')
  await open(page, `people/${shop.guest.id}`)
  await page.getByTestId('zones').waitFor()
  const { page: inTokyo } = await openBrowser(context, { ...ENGLISH, timezoneId: 'Asia/Tokyo' })
  await signIn(inTokyo, shop)
  assert.equal(await inTokyo.getByTestId('zones').textContent(), 'Times and days: Asia/Tokyo')
})

test('letter keys are text in a field, and can be switched off', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await settled(page)
  await page.getByTestId('find').fill('')
  await page.getByTestId('find').press('?')
  assert.equal(await page.getByTestId('help').isVisible(), false)
  await page.getByTestId('find').press('Escape')
  await page.keyboard.press('?')
  await page.getByTestId('shortcuts').uncheck()
  await page.getByTestId('help-close').click()
  await goTo(page, 'a')
  await page.keyboard.press('?')
  assert.equal(await page.getByTestId('help').isVisible(), false)
  assert.match(page.url(), /\/console\/?$/)
})

test('a hidden tab asks nothing, and a shown one asks once', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await page.clock.install()
  await signIn(page, shop)
  await open(page, 'models')
  await settled(page)
  const asked: string[] = []
  page.on('request', (request) => void (ofApi(request) && asked.push(request.url())))
  const show = (isHidden: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    `)
  await show(true)
  await page.clock.runFor(120_000)
  assert.equal(asked.length, 0)
  await stopTime(page)
  const first = page.waitForResponse((response) => response.url().endsWith('/lanes'))
  await show(false)
  await first
  await page.clock.runFor(3000)
  assert.equal(asked.filter((url) => url.endsWith('/lanes')).length, 1)
})

test('while the server is lost the last data stay, marked with their age, and the console recovers by itself', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await page.clock.install()
  await signIn(page, shop)
  await open(page, 'nodes')
  await settled(page)
  await page.route('**/api/admin/**', (route) => route.abort())
  await stopTime(page)
  await page.clock.runFor(6000)
  await page.getByTestId('failure').waitFor()
  assert.equal(await page.getByTestId('failure').getAttribute('data-kind'), 'lost')
  assert.equal(await page.getByTestId('nodes').isVisible(), true)
  await page.clock.runFor(60_000)
  await page
    .getByTestId('age')
    .filter({ hasText: /Stale: data of 1 min ago/ })
    .waitFor()
  await page.unroute('**/api/admin/**')
  await waitUntil('the data are current again', async () => {
    await page.clock.runFor(10_000)
    return (await page.getByTestId('failure').count()) === 0
  })
})

test('a session that has ended leads back to the sign-in, and then to the same screen', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await open(page, 'nodes')
  await settled(page)
  await page.context().clearCookies()
  await page.getByTestId('reload').click()
  await page.getByTestId('ended').waitFor()
  await page.getByTestId('token').fill('maa_viewer')
  await page.getByTestId('token').press('Enter')
  await page.getByTestId('nodes').waitFor()
})

test('a viewer sees the state but no action; the server would refuse it too', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop, 'viewer')
  await open(page, 'models')
  await page.locator('[data-rove]').first().click()
  await settled(page)
  assert.equal(await page.getByTestId('lane-force-open').count(), 0)
  const status = await page.evaluate(async () => {
    const { csrfToken } = ((await (await fetch('/api/admin/session')).json()) as { data: { csrfToken: string } }).data
    const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
    const body = JSON.stringify({ on: true, reason: 'none' })
    return (await fetch('/api/admin/maintenance', { method: 'POST', headers, body })).status
  })
  assert.equal(status, 403)
})

test('what people and models wrote is shown as text, never as markup', async (context) => {
  const { page, problems } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await open(page, 'feedback')
  const worst = page.getByTestId('worst')
  await worst.getByText('<b>長い</b>').waitFor()
  assert.equal(await worst.locator('b').count(), 0)
  await page.getByTestId('read-texts').click()
  await page.getByTestId('reason').fill('a complaint')
  await page.getByTestId('confirm').click()
  await page.getByTestId('close').click()
  await worst.getByText('泣ける完結作品のおすすめを教えて').waitFor()
  assert.deepEqual(serious(problems), [])
})

test('filters are in the address, Back undoes them, and a view can be saved and removed', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await open(page, `turns?user=${shop.guest.id}`)
  await page.getByTestId('turns').waitFor()
  assert.equal(await page.locator('input[name=user]').inputValue(), shop.guest.id)
  await page.getByTestId('view-name').fill('One guest')
  await page.getByTestId('save-view').click()
  await page.locator('select[name=feedback]').selectOption('up')
  await page.getByTestId('apply').click()
  await page.waitForURL(/feedback=up/)
  await page.getByTestId('empty').waitFor()
  await page.goBack()
  await page.getByTestId('turns').waitFor()
  await open(page, 'turns')
  await page.getByRole('link', { name: 'One guest' }).click()
  await page.waitForURL(/user=guest_/)
  await page.getByRole('button', { name: 'Remove the view' }).click()
  await page.getByRole('link', { name: 'One guest' }).waitFor({ state: 'detached' })
})

test('the search opens a turn: why the first choice did not answer, what was charged and logged, and whose it was', async (context) => {
  const { page, problems } = await openBrowser(context, ENGLISH)
  await signIn(page, shop)
  await settled(page)
  await page.keyboard.press('/')
  await page.keyboard.type(shop.guest.degradedId)
  await page.keyboard.press('Enter')
  await page.getByTestId('why-not').getByText('answered').first().waitFor()
  await page.getByRole('table', { name: 'Ledger rows' }).getByText('throttled').first().waitFor()
  await page.getByTestId('story').getByText('degraded').first().waitFor()
  await page.getByTestId('readers').getByText('everything sent').waitFor()
  await page.getByTestId('log').getByText('model.attempt-failed').first().waitFor()
  await page.getByTestId('calls').getByText('throttled by the vendor').first().waitFor()
  await page.getByRole('link', { name: shop.guest.id }).first().click()
  await page.getByTestId('quota').waitFor()
  await open(page, `turns/${shop.guest.turnId}`)
  // What the shopper did with the answer, in words.
  await page.locator('dt', { hasText: 'Another question followed' }).waitFor()
  await open(page, 'turns/turn_nothing')
  await page.getByTestId('missing').waitFor()
  assert.deepEqual(serious(problems), [])
})

test('a pasted bill is compared with the ledger, and a mistake in it is named', async (context) => {
  const { page, problems } = await openBrowser(context, ENGLISH)
  await signIn(page, shop, 'viewer')
  await open(page, 'money?by=key')
  await page.getByTestId('usage').getByText('no key (shoppers)').waitFor()
  const bill = page.locator('textarea[name=bill]')
  await bill.fill('day,model,inputTokens,outputTokens\n2026-11-04,big-model,many,1')
  await page.getByTestId('compare').click()
  await page.getByTestId('bill-failed').getByText('row 2: inputTokens is "many"').waitFor()
  await bill.fill('day,model,inputTokens,outputTokens\n2020-11-04,big-model,20,1')
  await page.getByTestId('compare').click()
  await page.getByTestId('bill').getByText('missing in our ledger').first().waitFor()
  await page.getByTestId('bill-result').getByText('1 of 1').waitFor()
  assert.deepEqual(serious(problems), [])
})

test('a live list gets new turns in front without loading the old ones again', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await page.clock.install()
  await signIn(page, shop)
  await open(page, 'turns?live=1')
  await page.getByTestId('turns').waitFor()
  const before = await page.getByTestId('turns').locator('tbody tr').count()
  assert.equal((await postChat(shop.server.address, { message: '返品できますか' })).status, 200)
  const since = page.waitForRequest((request) => request.url().includes('since='))
  await page.clock.runFor(2500)
  await since
  const rows = page.getByTestId('turns').locator('tbody tr')
  // The record is written behind its turn: the list may need another poll.
  await waitUntil('the new turn is listed', async () => {
    await page.clock.runFor(2100)
    return (await rows.count()) === before + 1
  })
})

test('limits of a person are changed with an end and a reason, the change applies at once, and erasing needs the id typed', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  const first = await postChat(shop.server.address, { message: '送料はいくらですか' })
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const id = cookie.slice('ma_guest='.length).split('.')[0] ?? ''
  await signIn(page, shop)
  await open(page, `people/${id}`)
  await page.getByTestId('set-override').click()
  await page.locator('dialog input[name=outputTokensPerDay]').fill('1')
  await page.getByTestId('confirm').click()
  assert.equal(await page.getByTestId('result').count(), 0, 'a reason is needed')
  await page.getByTestId('reason').fill('an abuser')
  await page.getByTestId('confirm').click()
  await page.getByTestId('close').click()
  await page.getByTestId('quota').getByText('/ 1', { exact: false }).first().waitFor()
  assert.equal((await postChat(shop.server.address, { message: '他には？' }, { cookie })).status, 429)
  await page.getByTestId('erase').click()
  await page.getByTestId('reason').fill('asked for it')
  await page.getByTestId('typed').fill('another')
  await page.getByTestId('confirm').click()
  assert.equal(await page.getByTestId('result').count(), 0, 'the id has to be typed')
  await page.getByTestId('typed').fill(id)
  await page.getByTestId('confirm').click()
  await page.getByTestId('result').getByText('Erased').waitFor()
})

test('the mode is switched with a reason, applies at once, and is in the audit', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  await signIn(page, shop, 'operator')
  await open(page, 'settings')
  await page.getByTestId('mode-read-only').click()
  await page.getByTestId('reason').fill('stock-taking')
  await page.getByTestId('confirm').click()
  await page.getByTestId('close').click()
  await page.getByTestId('mode-normal').waitFor()
  const asked = () => postChat(shop.server.address, { message: '送料はいくらですか' })
  await waitUntil('questions are refused', async () => (await asked()).status === 503)
  await page.getByTestId('mode-normal').click()
  await page.getByTestId('reason').fill('done')
  await page.getByTestId('confirm').click()
  await page.getByTestId('audit-link').click()
  await page.getByTestId('audit').getByText('stock-taking').first().waitFor()
  await waitUntil('questions are answered', async () => (await asked()).status === 200)
})

test('a conversation is read with a reason, which the audit keeps', async (context) => {
  const { page, problems } = await openBrowser(context, ENGLISH)
  await signIn(page, shop, 'operator')
  await open(page, `conversations?user=${shop.guest.id}`)
  await page.getByRole('link', { name: shop.guest.sessionId }).click()
  assert.equal(await page.getByTestId('talk').count(), 0)
  await page.getByTestId('read-conversation').click()
  await page.getByTestId('reason').fill('a complaint by mail')
  await page.getByTestId('confirm').click()
  await page.getByTestId('close').click()
  await page.getByTestId('talk').getByText('泣ける完結作品のおすすめを教えて').waitFor()
  await open(page, `audit?subject=${shop.guest.sessionId}`)
  await page.getByTestId('audit').getByText('a complaint by mail').waitFor()
  assert.deepEqual(serious(problems), [])
})

test('a request for a person is taken and closed with reasons, and the shopper sees its state', async (context) => {
  const { page, problems } = await openBrowser(context, ENGLISH)
  const { cookie, sessionId } = shop.guest
  const stateNow = async () => {
    const url = `${shop.server.address}/api/sessions/${sessionId}/handover`
    const { data } = (await (await fetch(url, { headers: { cookie } })).json()) as {
      data: { request: { state: string } }
    }
    return data.request.state
  }
  await signIn(page, shop, 'operator')
  await open(page, 'handovers')
  await page.getByTestId('handovers').getByText('<b>まだ</b>届きません。').waitFor()
  for (const [button, reason] of [
    ['take', 'calling the carrier'],
    ['close', 'sent again'],
  ] as const) {
    await page.getByTestId(`${button}-handover`).click()
    await page.getByTestId('reason').fill(reason)
    await page.getByTestId('confirm').click()
    await page.getByTestId('close').click()
    assert.equal(await stateNow(), button === 'take' ? 'taken' : 'closed')
    if (button === 'take') await open(page, 'handovers?state=taken')
  }
  await open(page, 'handovers?state=all')
  await page.getByTestId('handovers').getByText('sent again').waitFor()
  assert.deepEqual(serious(problems), [])
})

test('an abuser is blocked with a reason, is refused at once, and is unblocked', async (context) => {
  const { page } = await openBrowser(context, ENGLISH)
  const first = await postChat(shop.server.address, { message: '送料はいくらですか' })
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const id = cookie.slice('ma_guest='.length).split('.')[0] ?? ''
  const asked = async () => (await postChat(shop.server.address, { message: '他には？' }, { cookie })).status
  await signIn(page, shop, 'operator')
  await open(page, `people/${id}`)
  await page.getByTestId('block').click()
  await page.getByTestId('reason').fill('floods us')
  await page.getByTestId('confirm').click()
  await page.getByTestId('close').click()
  await page.getByTestId('unblock').waitFor()
  await waitUntil('the guest is refused', async () => (await asked()) === 403)
  await page.getByTestId('unblock').click()
  await page.getByTestId('reason').fill('it was a misunderstanding')
  await page.getByTestId('confirm').click()
  await page.getByTestId('close').click()
  await waitUntil('the guest is answered', async () => (await asked()) === 200)
})
