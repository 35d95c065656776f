// The model's Markdown in a real browser: for every input the result has only harmless elements and allowed links,
// nothing is fetched and no script runs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { Rolldown } from 'vite'
import { launchBrowser } from './browser.ts'

interface Rendered {
  readonly html: string
  readonly text: string
  readonly tags: string[]
  readonly attributes: string[]
  readonly hrefs: string[]
}

let browser: Browser
let page: Page
const requested: string[] = []

before(async () => {
  browser = await launchBrowser()
  page = await browser.newPage()
  await page.route('**/*', (route) => {
    requested.push(route.request().url())
    return route.request().isNavigationRequest()
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>shop</title>' })
      : route.abort()
  })
  await page.goto('http://shop.example/')
  requested.length = 0
  await page.evaluate(await bundle())
})
after(() => browser.close())

async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('../src/chat/markdown/markdown.ts', import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'markdown' } },
  })
  const [output] = built as Rolldown.RolldownOutput[]
  return `${output?.output[0].code ?? ''};window.markdown = markdown`
}

async function render(source: string): Promise<Rendered> {
  return page.evaluate((text) => {
    const { markdown } = window as unknown as { markdown: typeof import('../src/chat/markdown/markdown.ts') }
    const renderer = markdown.createMarkdownRenderer({
      base: 'http://shop.example',
      hosts: ['shop.example'],
      language: 'ja',
    })
    const root = document.createElement('div')
    document.body.replaceChildren(root)
    for (const block of renderer.blocks(text)) root.append(renderer.nodes(block))
    const elements = [...root.querySelectorAll('*')]
    return {
      html: root.innerHTML,
      text: root.textContent,
      tags: elements.map(({ localName }) => localName),
      attributes: elements.flatMap((element) => element.getAttributeNames()),
      hrefs: [...root.querySelectorAll('a[href]')].map((link) => link.getAttribute('href') ?? ''),
    }
  }, source)
}

const harmlessTags = /^(p|br|strong|em|del|code|pre|blockquote|hr|a|ul|ol|li|h[3-6]|table|thead|tbody|tr|th|td)$/
const harmlessAttributes = /^(href|rel|target|start)$/

async function assertHarmless(source: string): Promise<Rendered> {
  const rendered = await render(source)
  for (const tag of rendered.tags) assert.match(tag, harmlessTags, source)
  for (const name of rendered.attributes) assert.match(name, harmlessAttributes, source)
  for (const href of rendered.hrefs) assert.equal(new URL(href).host, 'shop.example', source)
  assert.equal(await page.evaluate(() => 'pwned' in window), false, `ran: ${source}`)
  return rendered
}

test('headings, bold text, lists, links, code and tables are rendered', async () => {
  const { html } = await render(
    '## おすすめ\n\n**「進撃の巨人」**が好きなら、*次*は:\n\n1. [AKIRA](/series/akira)\n2. `ベルセルク`\n\n| 題名 | 巻数 |\n|---|---|\n| AKIRA | 6 |',
  )
  const rel = 'rel="noopener noreferrer nofollow"'
  assert.match(html, /<h4>おすすめ<\/h4>/)
  assert.match(html, /<p><strong>「進撃の巨人」<\/strong>が好きなら、<em>次<\/em>は:<\/p>/)
  assert.ok(html.includes(`<li><a href="http://shop.example/series/akira" ${rel}>AKIRA</a></li>`), html)
  assert.match(html, /<td>AKIRA<\/td>/)
})

test('character references are characters in text, and stay as they are in code', async () => {
  const { text } = await assertHarmless('Q&amp;A &lt;b&gt; &#x8B7; &#9731; &nope; `&amp;`')
  assert.equal(text, 'Q&A <b> \u08b7 ☃ &nope; &amp;')
})

test('lists keep their numbers, and loose items their paragraphs', async () => {
  const { html } = await render('3. three\n4. four\n\n- loose\n\n- items\n\n- [x] done')
  assert.match(html, /<ol start="3"><li>three<\/li><li>four<\/li><\/ol>/)
  assert.match(html, /<li><p>loose<\/p><\/li><li><p>items<\/p><\/li>/)
})

test('raw HTML is shown as text', async () => {
  const { text, tags } = await assertHarmless(
    'a <b>bold</b> <script>window.pwned=1</script>\n\n<div onclick="x()">d</div>',
  )
  assert.ok(text.includes('<b>bold</b>') && text.includes('<script>') && text.includes('<div onclick='), text)
  assert.deepEqual(tags, ['p', 'p'])
})

test('an image becomes its alternative text, and nothing is fetched', async () => {
  const { text, tags } = await assertHarmless('![表紙](http://evil.example/track.png?who=me) ![x](/local.png "t")')
  assert.deepEqual([text.trim(), tags], ['表紙 x', ['p']])
  assert.deepEqual(requested, [])
})

test('a link to another host is plain text; an address in Japanese text ends before the Japanese', async () => {
  const elsewhere = await assertHarmless('[click](https://evil.example/) <https://evil.example> https://evil.example/x')
  assert.deepEqual(elsewhere.hrefs, [])
  assert.ok(elsewhere.text.startsWith('click '))
  const ours = await assertHarmless('詳しくはhttp://shop.example/supportをご覧ください。')
  assert.deepEqual(ours.hrefs, ['http://shop.example/support'])
})

const hostile = [
  '[x](javascript:window.pwned=1)',
  '[x](JaVaScRiPt:window.pwned=1)',
  '[x](java&#10;script:window.pwned=1)',
  '[x](&#x6A;avascript:window.pwned=1)',
  '[x](\u0001javascript:window.pwned=1)',
  '[x](data:text/html,<script>parent.pwned=1</script>)',
  '[x](vbscript:pwned)',
  '[x](//evil.example)',
  '[x](http://shop.example@evil.example/)',
  '[x](/ok" onmouseover="window.pwned=1)',
  '[x](/ok "t\\" onmouseover=\\"window.pwned=1")',
  '[<img src=x onerror=window.pwned=1>](/ok)',
  '[![x](x" onerror="window.pwned=1)](/ok)',
  '![x](x" onerror="window.pwned=1)',
  '[a]: javascript:window.pwned=1\n\n[a]',
  '<javascript:window.pwned=1>',
  '<img src=x onerror=window.pwned=1>',
  '<svg><script>window.pwned=1</script></svg>',
  '<svg onload=window.pwned=1>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=1>',
  '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">',
  '<template><img src=x onerror=window.pwned=1></template>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<details open ontoggle=window.pwned=1>',
  '<style>@import "http://evil.example/a.css";</style>',
  '<link rel=stylesheet href=http://evil.example/a.css>',
  '<base href=http://evil.example/>',
  '<meta http-equiv=refresh content="0;url=http://evil.example">',
  '<a id=__proto__ name=location href=x>clobber</a>',
  '<manga-assist server="http://evil.example"></manga-assist>',
  '`<img src=x onerror=window.pwned=1>`',
  '```html onload=window.pwned=1\n</code></pre><script>window.pwned=1</script>\n```',
  '| <img src=x onerror=window.pwned=1> | `</td><script>window.pwned=1</script>` |\n|---|---|\n| x | y |',
  '- [x] <input autofocus onfocus=window.pwned=1>',
  '&lt;script&gt;window.pwned=1&lt;/script&gt;',
  '<scr<script>ipt>window.pwned=1</script>',
  '# <u onclick=window.pwned=1>x</u>',
]

for (const source of hostile) {
  test(`harmless: ${JSON.stringify(source).slice(0, 70)}`, async () => {
    await assertHarmless(source)
  })
}

test('random combinations of hostile pieces are harmless', async () => {
  const joints = [
    '',
    ' ',
    '\n',
    '\n\n',
    '**',
    '`',
    '```\n',
    '> ',
    '- ',
    '[',
    '](',
    ')',
    '<',
    '">',
    '&',
    '|',
    '\u0000',
    '日本',
  ]
  let seed = 20_261_115
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed % below
  }
  const piece = (): string => `${hostile[next(hostile.length)]}${joints[next(joints.length)]}`
  for (let round = 0; round < 60; round++) {
    const many = Array.from({ length: 40 }, () => piece() + piece() + piece()).join('\n')
    await assertHarmless(many.slice(next(20)))
  }
  assert.deepEqual(requested, [])
})
