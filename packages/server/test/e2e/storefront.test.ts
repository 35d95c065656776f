// The storefront's documents from a real server, and the same pages in a real Chromium, without JavaScript and with it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { openBrowser } from './browser.ts'
import { axeProblems } from './console-visit.ts'
import { startServer, temporaryFolder } from './server-process.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const folder = opened.use(await temporaryFolder())
const { address } = opened.use(await startServer({ dataDir: folder.path }))

const HTML = { accept: 'text/html' }
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(address + path, { headers: { ...HTML, ...headers }, redirect: 'manual' })
  return { response, text: await response.text() }
}

/** The blocks of data for search engines, by type. */
function structured(text: string): Map<string, Record<string, unknown>> {
  const blocks = [...text.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)]
  const parsed = blocks.map(([, json = '']) => JSON.parse(json) as Record<string, unknown>)
  return new Map(parsed.map((data) => [String(data['@type']), data]))
}

/** Elements and attributes of the head: names to values. */
function linksOf(text: string): Map<string, string> {
  const links = [...text.matchAll(/<link\s+rel="(alternate|canonical)"(?:\s+hreflang="([^"]+)")?\s+href="([^"]+)"/g)]
  return new Map(links.map(([, rel = '', language = '', href = '']) => [`${rel} ${language}`.trim(), href]))
}

test('each page is whole in its language, and names its address and that of the other language', async () => {
  const pages = [
    ['/', 'ja', '話すだけで', '/', '/en/'],
    ['/en/', 'en', 'Just say it', '/', '/en/'],
    ['/series/berserk', 'ja', 'ベルセルク', '/series/berserk', '/en/series/berserk'],
    ['/en/series/berserk', 'en', 'Kentaro Miura', '/series/berserk', '/en/series/berserk'],
    ['/support', 'ja', '送料', '/support', '/en/support'],
    ['/en/support', 'en', 'Shipping', '/support', '/en/support'],
    ['/en/?genre=horror', 'en', 'Horror manga', '/?genre=horror', '/en/?genre=horror'],
  ] as const
  const titles = new Set<string>()
  for (const [path, language, words, ja, en] of pages) {
    const { response, text } = await read(path)
    assert.equal(response.status, 200, path)
    assert.match(text, new RegExp(`<html lang="${language}">`), path)
    assert.ok(text.includes(words), `${path}: ${words}`)
    const links = linksOf(text)
    assert.deepEqual(
      [links.get('canonical'), links.get('alternate ja'), links.get('alternate en'), links.get('alternate x-default')],
      [address + path, address + ja, address + en, address + ja],
    )
    assert.match(text, /<meta name="description" content="[^"]{20,}"/)
    assert.match(text, /<meta property="og:title" content="[^"]+"/)
    titles.add(/<title>([^<]+)<\/title>/.exec(text)?.[1] ?? '')
    assert.doesNotMatch(text, / style="|<style|<script(?! type=)/)
  }
  assert.equal(titles.size, pages.length)
})

test('search engines find the offer of a series, its way, the questions and the search', async () => {
  const { text } = await read('/en/series/berserk')
  const product = structured(text).get('Product,BookSeries') ?? {}
  const offer = product['offers'] as Record<string, unknown>
  assert.deepEqual([product['name'], offer['priceCurrency'], typeof offer['price']], ['Berserk', 'JPY', 'number'])
  const crumbs = structured(text).get('BreadcrumbList')?.['itemListElement'] as { name: string }[]
  assert.equal(crumbs.at(-1)?.name, 'Berserk')
  const faq = structured((await read('/support')).text).get('FAQPage')?.['mainEntity'] as object[]
  assert.ok(faq.length > 20)
  assert.match(JSON.stringify(structured((await read('/')).text).get('WebSite')), /\/\?q=\{search_term_string\}/)
  const sitemap = (await read('/sitemap.xml')).text
  assert.match(sitemap, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset /)
  for (const path of ['/', '/en/', '/en/support', '/series/berserk', '/en/series/berserk'])
    assert.ok(sitemap.includes(`<url><loc>${address}${path}</loc>`), path)
  assert.equal(sitemap.match(/<url>/g)?.length, sitemap.match(/<\/url>/g)?.length)
  assert.match((await read('/robots.txt')).text, /Sitemap: http:.*\/sitemap\.xml/)
})

test('a missing series, a page beyond the last and an unknown address are real 404s in the language of the address', async () => {
  for (const [path, words] of [
    ['/series/nothing-like-it', 'このページは見つかりませんでした'],
    ['/en/series/nothing-like-it', 'We could not find this page'],
    ['/en/nowhere', 'We could not find this page'],
    ['/?page=999', 'このページは見つかりませんでした'],
  ] as const) {
    const { response, text } = await read(path)
    assert.deepEqual([response.status, text.includes(words), /noindex/.test(text)], [404, true, true], path)
  }
})

test('orders, filters, counts and pages work by the address alone', async () => {
  const titles = (text: string) =>
    [...text.matchAll(/class="book-title"[^>]*>([^<]+)</g)].map(([, title = '']) => title)
  const { text } = await read('/en/?totalMax=3000&status=completed&sort=length&inStock=true')
  const counted = Number(/data-testid="count"\s*>(\d+) series/.exec(text)?.[1])
  assert.ok(counted > 3 && counted < 60, String(counted))
  assert.equal(titles(text).length, Math.min(24, counted))
  const [first, second] = await Promise.all([read('/?page=1&sort=new'), read('/?page=2&sort=new')])
  assert.deepEqual(
    titles(second.text).filter((title) => titles(first.text).includes(title)),
    [],
  )
  assert.match(second.text, /rel="prev"/)
  assert.match((await read('/support?q=送料')).text, /<details[^>]* open/)
})

test('covers and files for crawlers are cached and create no guest; a document with a cookie is never stored', async () => {
  const { response, text } = await read('/')
  assert.match(response.headers.getSetCookie().join(), /^ma_guest=/)
  assert.equal(response.headers.get('cache-control'), 'private, no-store')
  const [, cover = ''] = /src="(\/covers\/[^"]+)"/.exec(text) ?? []
  const picture = await read(cover)
  assert.deepEqual(
    [picture.response.status, picture.response.headers.get('content-type')],
    [200, 'image/svg+xml; charset=utf-8'],
  )
  assert.match(picture.response.headers.get('cache-control') ?? '', /immutable/)
  const [, shared = ''] = /property="og:image" content="http:\/\/[^/]+([^"]+)"/.exec(text) ?? []
  const png = await fetch(address + shared)
  assert.deepEqual([png.status, png.headers.get('content-type')], [200, 'image/png'])
  assert.match((await read(cover.replace(/v=.*/, 'v=old'))).response.headers.get('cache-control') ?? '', /max-age=600$/)
  for (const path of [cover, '/sitemap.xml', '/robots.txt'])
    assert.deepEqual((await read(path)).response.headers.getSetCookie(), [])
})

test('an English reader is sent to the English home page once, and a choice inside the shop is kept', async () => {
  const english = { 'accept-language': 'en-GB,en;q=0.9' }
  const first = await read('/', english)
  assert.deepEqual([first.response.status, first.response.headers.get('location')], [302, '/en/'])
  const chosen = await read('/', { ...english, 'sec-fetch-site': 'same-origin' })
  assert.equal(chosen.response.status, 200)
  const cookie = chosen.response.headers.getSetCookie().find((one) => one.startsWith('ma_lang=')) ?? ''
  const again = await read('/', { ...english, cookie: cookie.split(';')[0] ?? '' })
  assert.equal(again.response.status, 200)
})

test('without JavaScript a shopper finds, filters and reads, on a phone', async (context) => {
  const { page, problems } = await openBrowser(context, { ...PHONE, javaScriptEnabled: false })
  await page.goto(address)
  assert.equal(await page.getByTestId('hero-ask').isVisible(), false)
  await page.getByTestId('search').getByRole('searchbox').fill('ベルセルク')
  await page.getByTestId('search').getByRole('button', { name: '検索' }).click()
  await page.getByTestId('catalogue').getByRole('link', { name: 'ベルセルク' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'ベルセルク' }).waitFor()
  await page.getByTestId('language').click()
  await page.getByRole('heading', { level: 1, name: 'Berserk' }).waitFor()
  await page.goto(`${address}/en/`)
  await page.getByTestId('filters').locator('summary').click()
  await page.getByTestId('filter-volumesMax').selectOption('5')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/volumesMax=5/)
  assert.equal(await page.getByTestId('filter-volumesMax').inputValue(), '5')
  assert.deepEqual(problems, [])
})

test('with JavaScript pages change in place: filters keep focus, Back restores, a failed page can be tried again', async (context) => {
  const { page, problems } = await openBrowser(context)
  await page.goto(address)
  await page.getByTestId('chat-launcher').waitFor()
  await page.evaluate(() => Object.assign(globalThis, { stays: true }))
  await page.getByTestId('filter-sort').focus()
  await page.getByTestId('filter-sort').selectOption('new')
  await page.waitForURL(/sort=new/)
  await page.locator('#f-sort:focus').waitFor()
  await page.getByTestId('page-next').click()
  await page.waitForURL(/page=2/)
  const third = page.getByTestId('book').nth(12)
  await third.scrollIntoViewIfNeeded()
  const scrolled = () => page.evaluate(() => Math.round((globalThis as unknown as { scrollY: number }).scrollY))
  const y = await scrolled()
  await third.getByRole('link').click()
  await page.getByTestId('series').waitFor()
  assert.equal(await page.locator('manga-assist').getAttribute('product'), /series\/(.+)$/.exec(page.url())?.[1])
  assert.equal(await page.locator('head link[rel=canonical]').getAttribute('href'), page.url())
  await page.goBack()
  await page.getByTestId('catalogue').waitFor()
  await waitUntil('the page is where it was', async () => Math.abs((await scrolled()) - y) < 5)
  await page.context().setOffline(true)
  await page.getByTestId('brand').click()
  await page.getByTestId('error').waitFor()
  await page.context().setOffline(false)
  await page.getByTestId('retry').click()
  await page.getByTestId('picks').waitFor()
  assert.equal(await page.evaluate(() => 'stays' in globalThis), true, 'no page was loaded')
  await page.getByTestId('language').click()
  await page.locator('html[lang=en]').waitFor()
  assert.equal(await page.locator('manga-assist').getAttribute('language'), 'en')
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED')),
    [],
  )
})

for (const [device, options] of [
  ['a desktop', { colorScheme: 'light' as const }],
  ['a phone in the dark', { ...PHONE, colorScheme: 'dark' as const }],
] as const) {
  test(`on ${device} no page has an accessibility fault, scrolls sideways or moves while it loads`, async (context) => {
    const { page } = await openBrowser(context, options)
    await page.addInitScript(() => {
      const world = globalThis as unknown as {
        shift: number
        PerformanceObserver: new (on: (list: { getEntries(): { value: number }[] }) => void) => {
          observe(of: object): void
        }
      }
      world.shift = 0
      const observer = new world.PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) world.shift += value
      })
      observer.observe({ type: 'layout-shift', buffered: true })
    })
    for (const path of [
      '/',
      '/en/?genre=horror&volumesMax=5',
      '/series/one-piece',
      '/en/support?q=shipping',
      '/nowhere',
    ]) {
      await page.goto(address + path)
      await page.getByTestId('chat-launcher').waitFor()
      const { shift, wide } = await page.evaluate(() => {
        const world = globalThis as unknown as {
          shift: number
          document: { documentElement: { scrollWidth: number; clientWidth: number } }
        }
        const { clientWidth, scrollWidth } = world.document.documentElement
        return { shift: world.shift, wide: scrollWidth - clientWidth }
      })
      assert.ok(wide <= 0, `${path} is ${wide} px too wide`)
      assert.ok(shift < 0.02, `${path} moves by ${shift}`)
      assert.deepEqual(await axeProblems(page), [], path)
    }
  })
}

test('a reload with an open chat beside the page moves nothing, and closing the chat gives its room back', async (context) => {
  const { page, problems } = await openBrowser(context, { viewport: { width: 1280, height: 800 } })
  await page.addInitScript(() => {
    const world = globalThis as unknown as {
      shift: number
      PerformanceObserver: new (seen: (list: { getEntries(): { value: number }[] }) => void) => {
        observe(options: object): void
      }
    }
    world.shift = 0
    new world.PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) world.shift += value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const width = () => page.locator('body').evaluate((body) => (body as unknown as { clientWidth: number }).clientWidth)
  await page.goto(address)
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').waitFor()
  await page.reload()
  await page.getByTestId('chat-input').waitFor()
  await waitUntil('the page has made room', async () => (await width()) === 860)
  const shift = await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)
  assert.ok(shift < 0.02, `the page moves by ${shift}`)
  await page.getByTestId('chat-input').press('Escape')
  await page.getByTestId('chat-launcher').waitFor()
  await waitUntil('the page has its room again', async () => (await width()) === 1280)
  assert.deepEqual(problems, [])
})

test('Escape on the page closes the chat beside it and leaves the focus, but the Escape of a field is its own', async (context) => {
  const { page, problems } = await openBrowser(context, { viewport: { width: 1280, height: 800 } })
  await page.goto(address)
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').waitFor()
  const search = page.getByTestId('search').getByRole('searchbox')
  await search.press('Escape')
  assert.equal(await page.getByTestId('chat-input').isVisible(), true)
  await page.getByTestId('brand').press('Escape')
  await page.getByTestId('chat-launcher').waitFor()
  await page.getByTestId('chat-input').waitFor({ state: 'hidden' })
  await page.getByTestId('brand').and(page.locator(':focus')).waitFor()
  assert.deepEqual(problems, [])
})

test('on phones of any width the home page is no wider than the window, and no name or question ends in a line of one character', async (context) => {
  const { page } = await openBrowser(context, PHONE)
  for (const width of [320, 360, 375, 390, 412, 430, 460]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/en/', '/']) {
      await page.goto(address + path)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path)
    }
    const orphans = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('.brand span, .balloon, .hero .button')]
      .filter((element) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        const boxes = []
        while (texts.nextNode() !== null) {
          const { data } = texts.currentNode
          for (let at = 0; at < data.length; at += 1) {
            if (data[at].trim() === '') continue
            const range = document.createRange()
            range.setStart(texts.currentNode, at)
            range.setEnd(texts.currentNode, at + 1)
            boxes.push(range.getBoundingClientRect().top)
          }
        }
        return boxes.filter((top) => Math.abs(top - boxes.at(-1)) < 4).length < 2
      })
      .map((element) => element.textContent.trim())`)
    assert.deepEqual(orphans, [], `${width} px`)
  }
})

test('beside an open chat the questions about a series stand in a row below its button', async (context) => {
  const { page } = await openBrowser(context, { viewport: { width: 1280, height: 800 } })
  await page.goto(`${address}/series/berserk`)
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').waitFor()
  const tops = await page
    .getByTestId('ask-question')
    .evaluateAll((buttons) => buttons.map((button) => Math.round(button.getBoundingClientRect().top)))
  assert.equal(new Set(tops).size, 1, String(tops))
})

test('the chat opened about a series offers questions about it, and those of the home page there', async (context) => {
  const { page, problems } = await openBrowser(context, { viewport: { width: 1280, height: 800 } })
  await page.goto(`${address}/series/berserk`)
  await page.getByTestId('ask-about-this').click()
  const suggestion = page.getByTestId('chat-suggestion')
  await suggestion.first().waitFor()
  const offered = await suggestion.allTextContents()
  assert.equal(offered.length, 3)
  assert.ok(
    offered.every((text) => text.includes('『ベルセルク』')),
    offered.join(),
  )
  await page.getByTestId('brand').click()
  await suggestion.getByText('送料はいくらですか？').waitFor()
  assert.equal(await suggestion.getByText('ベルセルク').count(), 0)
  assert.deepEqual(problems, [])
})
