// The document of a page. The built `index.html` names scripts and styles; it is filled with the head, the content and the
// language of a page. Nothing is inline but data blocks, which the Content-Security-Policy allows.
import { hrefIn, LANGUAGES } from '../addresses.ts'
import { accountLinks, readerLinks } from '../commerce/reader.ts'
import { SHARE_HEIGHT, SHARE_WIDTH } from '../pictures/share-picture.ts'
import { attribute, dataBlock, html, NOTHING } from './html.ts'
import type { Html } from './html.ts'
import type { StoreContext, StorePage } from '../store-page.ts'

/** Where `index.html` is filled. */
const HEAD = '<!--store:head-->'
const BODY = '<!--store:body-->'

/** The pages that the head links to, in this order. */
const NAVIGATION = [
  { name: 'home', path: '/', word: 'navCatalogue' },
  { name: 'support', path: '/support', word: 'navSupport' },
] as const

export function documentOf(template: string, page: StorePage, context: StoreContext): string {
  return template
    .replace(/<html lang="[^"]*">/, () => `<html lang="${context.language}">`)
    .replace(HEAD, () => headOf(page, context).text)
    .replace(BODY, () => bodyOf(page, context).text)
}

/** Elements with `data-page` belong to the page and are replaced with it when the browser shows another. */
function headOf(page: StorePage, context: StoreContext): Html {
  const { language, origin, shopName } = context
  const { description, isListed = true, path, picture, structured = [] } = page
  const title = page.title === shopName ? shopName : `${page.title} | ${shopName}`
  const address = path === undefined ? undefined : origin + hrefIn(language, path)
  return html`<title>${title}</title>
    <meta name="description" content="${description}" data-page />
    ${isListed && address !== undefined ? alternates(address, path ?? '/', origin) : html`<meta name="robots" content="noindex" data-page />`}
    <meta property="og:site_name" content="${shopName}" data-page />
    <meta property="og:type" content="website" data-page />
    <meta property="og:title" content="${page.title}" data-page />
    <meta property="og:description" content="${description}" data-page />
    <meta property="og:locale" content="${language === 'ja' ? 'ja_JP' : 'en_US'}" data-page />
    ${address === undefined ? NOTHING : html`<meta property="og:url" content="${address}" data-page />`}
    ${picture !== undefined && pictureTags(origin + picture, page.title)}
    <meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}" data-page />
    ${structured.map((data) => dataBlock('application/ld+json', data))}`
}

function pictureTags(address: string, name: string): Html {
  return html`<meta property="og:image" content="${address}" data-page />
    <meta property="og:image:type" content="image/png" data-page />
    <meta property="og:image:width" content="${SHARE_WIDTH}" data-page />
    <meta property="og:image:height" content="${SHARE_HEIGHT}" data-page />
    <meta property="og:image:alt" content="${name}" data-page />`
}

function alternates(address: string, path: string, origin: string): Html {
  const links = LANGUAGES.map(
    (language) =>
      html`<link rel="alternate" hreflang="${language}" href="${origin + hrefIn(language, path)}" data-page />`,
  )
  return html`<link rel="canonical" href="${address}" data-page />${links}<link
      rel="alternate"
      hreflang="x-default"
      href="${origin + path}"
      data-page
    />`
}

function bodyOf(page: StorePage, context: StoreContext): Html {
  const { say } = context
  return html`<a class="skip" href="#content">${say('skip')}</a>
    <button class="skip" type="button" data-testid="skip-to-chat" data-ask="open">${say('heroAsk')}</button>
    <div class="store">
      ${headerOf(page, context)}
      <main id="content" tabindex="-1" data-name="${page.name}" ${attribute('data-product', page.productId)}>
        ${page.main}
      </main>
      ${footerOf(context)}
    </div>
    <template id="failed"
      ><div class="state" role="alert" data-testid="error">
        <h1 tabindex="-1">${say('errorTitle')}</h1>
        <p>${say('errorText')}</p>
        <button class="button" type="button" data-retry data-testid="retry">${say('retry')}</button>
      </div></template
    >`
}

function footerOf(context: StoreContext): Html {
  const { href, reader = { canSignIn: false }, say } = context
  return html`<footer class="foot">
    <nav aria-label="${say('footLabel')}" data-testid="foot-links">
      <a href="${href('/support')}">${say('navSupport')}</a> ${accountLinks(reader, context)}
    </nav>
    <p>${say('footer')}</p>
  </footer>`
}

function headerOf({ name, path = '/' }: StorePage, context: StoreContext): Html {
  const { href, language, reader = { canSignIn: false }, say, shopName } = context
  const other = language === 'ja' ? 'en' : 'ja'
  const links = NAVIGATION.map(
    (item) =>
      html`<a href="${href(item.path)}" ${attribute('aria-current', item.name === name && 'page')}
        >${say(item.word)}</a
      >`,
  )
  return html`<header class="head">
    <a class="brand" href="${href('/')}" data-testid="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path d="M4 3h24v19H16l-7 7v-7H4z" fill="currentColor"></path>
        <path d="M9 17V8l7 6 7-6v9" fill="none" stroke="#fff" stroke-width="2.6"></path></svg
      ><span>${shopName}</span>
    </a>
    <nav aria-label="${say('navLabel')}">${links}</nav>
    ${readerLinks(reader, context, name)}
    <a class="language" href="${hrefIn(other, path)}" hreflang="${other}" lang="${other}" data-testid="language"
      ><span class="unseen">${say('otherLanguageLabel')}: </span>${say('otherLanguage')}</a
    >
  </header>`
}
