// How the chat in a frame lies on the page of another site: over a phone's screen, in the page with `inline`, in the page's colours.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { axeProblems } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { streaming } from './fake-server.ts'
import { visitFramed } from './framed-visit.ts'

const phone = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true }
const longPage = '<p>one</p>'.repeat(200)

let browser: Browser

before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

/** Resolves when the page behind is inert and does not scroll, or is neither any more. */
const covered = (page: Page, isCovered: boolean) =>
  page.waitForFunction(
    (wanted) =>
      document.querySelector('main')?.inert === wanted &&
      (getComputedStyle(document.documentElement).overflowY === 'hidden') === wanted,
    isCovered,
  )

test('on a phone the open chat covers a page that is inert and does not scroll, and Back closes it', async () => {
  await using setting = await visitFramed(browser, { context: phone, body: longPage })
  const { page, frame, area, opened, closed, complaints } = setting
  await closed()
  const entries = () => page.evaluate(() => history.length)
  const before = await entries()
  await frame.getByTestId('chat-launcher').tap()
  await opened()
  // One Back closes the chat.
  await page.waitForFunction((count) => history.length === count, before + 1)
  assert.deepEqual(await area(), { left: 0, top: 0, right: 390, bottom: 740 })
  await covered(page, true)
  assert.deepEqual(await axeProblems(page, 'body'), [])

  await page.reload()
  await opened()
  await covered(page, true)
  assert.equal(await entries(), before + 1)
  await page.goBack()
  await closed()
  await covered(page, false)
  await page.locator('manga-assist:not([open])').waitFor({ state: 'attached' })
  assert.equal(new URL(page.url()).hostname, 'localhost')

  await page.goForward()
  await opened()
  await frame.getByTestId('chat-close').tap()
  await closed()
  await page.waitForFunction(() => history.state === null)
  assert.deepEqual(complaints, [])
})

test('a link of the chat to the page’s own site leaves the page, and not only the chat', async () => {
  await using setting = await visitFramed(browser, { context: phone })
  const { server, page, frame, opened } = setting
  const own = `${new URL(page.url()).origin}/sale`
  server.script = streaming(`[Sale](${own})`)
  await frame.getByTestId('chat-launcher').tap()
  await opened()
  await frame.getByTestId('chat-input').fill('Anything cheap?')
  await frame.getByTestId('chat-send').tap()
  await frame.locator('[data-phase=ended]').waitFor()
  await frame.getByTestId('chat-answer').getByRole('link').tap()
  await page.waitForURL(own)
})

test('the launcher takes no click beside itself, and moves out of the way of a page that is scrolled', async () => {
  await using setting = await visitFramed(browser, { context: phone, body: longPage })
  const { page, frame, closed } = setting
  await closed()
  const box = await frame.getByTestId('chat-launcher').boundingBox()
  assert.ok(box !== null)
  const hit = (x: number, y: number) =>
    page.evaluate(([left, top]) => document.elementFromPoint(left, top)?.localName, [x, y] as const)
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2]
  assert.equal(await hit(middleX, middleY), 'manga-assist')
  for (const [x, y] of [
    [box.x - 10, middleY],
    [middleX, box.y - 10],
    [box.x - 2, box.y - 2],
    [box.x + box.width + 10, middleY],
  ] as const)
    assert.notEqual(await hit(x, y), 'manga-assist', `${x}, ${y}`)

  await page.evaluate(() => scrollTo(0, 600))
  await page.waitForFunction(([x, y]) => document.elementFromPoint(x, y)?.localName !== 'manga-assist', [
    middleX,
    middleY,
  ] as const)
  await page.evaluate(() => scrollTo(0, 400))
  await page.waitForFunction(([x, y]) => document.elementFromPoint(x, y)?.localName === 'manga-assist', [
    middleX,
    middleY,
  ] as const)
})

test('a keyboard on the screen does not cover the field, and what the screen hides is left free', async () => {
  await using setting = await visitFramed(browser, {
    context: phone,
    async prepare(page) {
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } })
    },
  })
  const { page, frame, closed, opened } = setting
  await closed()
  const launcher = await frame.getByTestId('chat-launcher').boundingBox()
  assert.equal((launcher?.y ?? 0) + (launcher?.height ?? 0), 740 - 34)
  await frame.getByTestId('chat-launcher').tap()
  await opened()
  const close = await frame.getByTestId('chat-close').boundingBox()
  assert.ok((close?.y ?? 0) >= 47, `${close?.y}`)
  // Chromium has no keyboard here: the visual viewport reports one, as on a phone.
  await page.evaluate(() => {
    for (const [name, value] of [
      ['height', 420],
      ['offsetTop', 30],
    ] as const)
      Object.defineProperty(visualViewport, name, { configurable: true, value })
    visualViewport?.dispatchEvent(new Event('resize'))
  })
  await page.waitForFunction(() => {
    const box = document.querySelector('manga-assist')?.shadowRoot?.querySelector('iframe')?.getBoundingClientRect()
    return box?.top === 30 && box.height === 420
  })
  const inFrame = page.frames().find((one) => one.url().includes('/widget/frame'))
  await inFrame?.waitForFunction(() => {
    const panel = document.querySelector('manga-assist')?.shadowRoot
    const field = panel?.querySelector('[data-testid=chat-input]')?.getBoundingClientRect()
    return innerHeight === 420 && field !== undefined && field.bottom < 420
  })
})

test('with `inline` the chat stands in the page, with the size and the settings of the element', async () => {
  await using setting = await visitFramed(browser, {
    attributes: 'data-language="en"',
    body: '<manga-assist inline greeting="Summer fair."></manga-assist><p>After it</p>',
  })
  const { server, page, frame, complaints } = setting
  server.script = streaming('Yes.')
  await frame.getByText('Summer fair.').waitFor()
  const box = () =>
    page.evaluate(() => {
      const element = document.querySelector('manga-assist')
      const shown = element?.shadowRoot?.querySelector('iframe')?.getBoundingClientRect()
      const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
      return [height, shown?.width === width && shown.height === height, getComputedStyle(document.body).overflow]
    })
  assert.deepEqual(await box(), [560, true, 'visible'])
  await page.evaluate(() => document.querySelector('manga-assist')?.style.setProperty('height', '400px'))
  assert.deepEqual(await box(), [400, true, 'visible'])
  assert.equal(await frame.getByTestId('chat-launcher').isVisible(), false)
  // The frame gets its new size after the page has laid itself out.
  const inFrame = page.frames().find((one) => one.url().includes('/widget/frame'))
  await inFrame?.waitForFunction(() => innerHeight === 400)
  const panel = await frame.getByTestId('chat-panel').boundingBox()
  assert.equal(panel?.height, 400)
  await frame.getByTestId('chat-input').fill('Akira?')
  await frame.getByTestId('chat-send').click()
  await frame.locator('[data-phase=ended]').waitFor()
  await covered(page, false)
  assert.deepEqual(
    (await setting.received(3)).map(([event]) => event),
    ['ready', 'ask', 'answer'],
  )
  // It floats again when the page changes its mind.
  await page.evaluate(() => document.querySelector('manga-assist')?.removeAttribute('inline'))
  await frame.getByTestId('chat-launcher').waitFor()
  assert.deepEqual(complaints, [])
})

test('the chat has the colours of the page’s variables, also after the page has changed them', async () => {
  await using setting = await visitFramed(browser)
  const { page, frame } = setting
  await frame.getByTestId('chat-launcher').waitFor()
  await page.evaluate(() => document.documentElement.style.setProperty('--ma-accent', 'rgb(10, 107, 61)'))
  await page.evaluate(() => document.documentElement.style.setProperty('--ma-offset-y', '84px'))
  const inFrame = page.frames().find((one) => one.url().includes('/widget/frame'))
  await inFrame?.waitForFunction(() => document.documentElement.style.getPropertyValue('--ma-offset-y') === '84px')
  const launcher = await frame.getByTestId('chat-launcher').elementHandle()
  const hasGround = (colour: string) =>
    inFrame?.waitForFunction(
      ([button, wanted]) => button !== null && getComputedStyle(button).backgroundColor === wanted,
      [launcher, colour] as const,
    )
  await hasGround('rgb(10, 107, 61)')
  await inFrame?.waitForFunction((button) => button?.getBoundingClientRect().bottom === 800 - 84, launcher)
  // The attribute wins, as it does without a frame.
  await page.evaluate(() => document.querySelector('manga-assist')?.setAttribute('accent', '#0000ff'))
  await inFrame?.waitForFunction(() => document.querySelector('manga-assist')?.accent === '#0000ff')
  await hasGround('rgb(0, 0, 255)')
})

test('beside the page the panel gets room of the page, and over all of it the page is inert', async () => {
  await using setting = await visitFramed(browser, { attributes: 'data-layout="dock" data-open' })
  const { page, frame, opened } = setting
  await opened()
  const hasMargin = (width: string) =>
    page.waitForFunction((wanted) => getComputedStyle(document.documentElement).marginRight === wanted, width)
  await hasMargin('420px')
  await frame.getByTestId('chat-menu').click()
  await frame.getByTestId('chat-layout-full').click()
  await page.waitForFunction(() => document.querySelector('main')?.inert)
  await hasMargin('0px')
  await frame.getByTestId('chat-close').click()
  await setting.closed()
  // Who opens it from the page has the focus there again.
  const button = page.getByRole('button', { name: 'Mine' })
  await button.focus()
  await page.evaluate(() => document.querySelector('manga-assist')?.setAttribute('open', ''))
  await frame.getByTestId('chat-input').press('Escape')
  await setting.closed()
  await page.waitForFunction(() => document.activeElement?.localName === 'button')
  await page.evaluate(() => document.querySelector('manga-assist')?.setAttribute('open', ''))
  await page.waitForFunction(() => document.querySelector('main')?.inert)
  await page.evaluate(() => document.querySelector('manga-assist')?.remove())
  await covered(page, false)
})
