// The page to try settings of the chat on, with the tag to copy: Japanese at `/playground`, English at `/en/playground`, as the shop's
// pages are. Made live by docs/playground.js, which takes its own texts from the page.
import type { Language } from '@mangaassist/protocol'
import { hrefIn, LANGUAGES } from '../storefront/addresses.ts'
import { attribute, html } from '../storefront/rendering/html.ts'
import type { Html } from '../storefront/rendering/html.ts'

export const PLAYGROUND_PATH = '/playground'

export function playgroundPage(language: Language): string {
  const words = WORDS[language]
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${words.title}</title>
        ${LANGUAGES.map((other) => html`<link rel="alternate" hreflang="${other}" href="${hrefIn(other, PLAYGROUND_PATH)}" />`)}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/docs.css" />
        <link rel="stylesheet" href="/docs/playground.css" />
        <script src="/widget.js" data-mount="none" defer></script>
        <script type="module" src="/docs/playground.js"></script>
      </head>
      <body>
        <a class="skip" href="#settings">${words.skip}</a>
        <header>
          <h1>${words.heading}</h1>
          <p>
            ${words.introduction} ${words.contracts}
            <a href="/docs" ${attribute('hreflang', 'en')}>${words.documents}</a>
          </p>
          <nav aria-label="${words.languages}">${otherLanguages(language)}</nav>
        </header>
        <main class="playground">
          ${settingsForm(words)}
          <section aria-labelledby="tag-title">
            <h2 id="tag-title">${words.tag}</h2>
            <pre tabindex="0" aria-labelledby="tag-title"><code id="tag" data-testid="tag"></code></pre>
            <div id="css-part" hidden>
              <h2 id="css-title">${words.styles}</h2>
              <pre tabindex="0" aria-labelledby="css-title"><code id="css" data-testid="css"></code></pre>
            </div>
            <p>
              <button type="button" id="copy">${words.copy}</button>
              <button type="button" id="open">${words.open}</button>
              <span id="note" role="status" data-copied="${words.copied}" data-selected="${words.selected}"></span>
            </p>
            <noscript><p>${words.script}</p></noscript>
          </section>
        </main>
      </body>
    </html> `.text
}

const NAMES: Readonly<Record<Language, string>> = { ja: '日本語', en: 'English' }

const otherLanguages = (language: Language): readonly Html[] =>
  LANGUAGES.filter((other) => other !== language).map(
    (other) =>
      html`<a href="${hrefIn(other, PLAYGROUND_PATH)}" lang="${other}" hreflang="${other}">${NAMES[other]}</a>`,
  )

function settingsForm(words: Words): Html {
  return html`<form id="settings" aria-label="${words.settings}">
    ${CHOICES.map((name) => choice(name, words.choices[name]))}
    ${FIELDS.map(({ name, ...of }) => html`<label>${words.fields[name]} <input name="${name}" ${attribute('placeholder', of.placeholder)} maxlength="${of.lengthMax}" /></label>`)}
    ${SWITCHES.map((name) => html`<label class="switch"><input type="checkbox" name="${name}" /> ${words.switches[name]}</label>`)}
  </form>`
}

const choice = (name: Choice, { label, options }: ChoiceWords): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
    </select>
  </label>`

const CHOICES = ['language', 'theme', 'position', 'layout'] as const
type Choice = (typeof CHOICES)[number]
const FIELDS = [
  { name: 'accent', placeholder: '#0a6b3d', lengthMax: 7 },
  { name: 'greeting', placeholder: undefined, lengthMax: 300 },
  { name: 'suggestions', placeholder: undefined, lengthMax: 600 },
  { name: 'product', placeholder: 'akira', lengthMax: 128 },
  { name: '--ma-question', placeholder: '#e8f0ff', lengthMax: 32 },
  { name: '--ma-offset-y', placeholder: '20px', lengthMax: 16 },
] as const
type Field = (typeof FIELDS)[number]['name']
const SWITCHES = ['cart', 'pinned'] as const
type Switch = (typeof SWITCHES)[number]

interface ChoiceWords {
  readonly label: string
  /** Values of the attribute, the first of which leaves it out, with their names. */
  readonly options: readonly (readonly [value: string, text: string])[]
}

interface Words {
  readonly title: string
  readonly skip: string
  readonly heading: string
  readonly introduction: string
  readonly contracts: string
  readonly documents: string
  readonly languages: string
  readonly settings: string
  readonly choices: Readonly<Record<Choice, ChoiceWords>>
  readonly fields: Readonly<Record<Field, string>>
  readonly switches: Readonly<Record<Switch, string>>
  readonly tag: string
  readonly styles: string
  readonly copy: string
  readonly open: string
  readonly copied: string
  readonly selected: string
  readonly script: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  ja: {
    title: 'MangaAssistのチャットを試す',
    skip: '設定へ移動',
    heading: 'チャットを試す',
    introduction:
      '設定を変えると、画面の隅のチャットにすぐ反映され、あなたのページに貼るタグが下に表示されます。動いているのは、このサーバーの本物のチャットです。',
    contracts: '仕様はこちら：',
    documents: 'APIドキュメント（英語）',
    languages: '言語',
    settings: '設定',
    choices: {
      language: {
        label: '言語',
        options: [
          ['', 'ページに合わせる'],
          ['ja', '日本語'],
          ['en', '英語'],
        ],
      },
      theme: {
        label: 'テーマ',
        options: [
          ['', '自動'],
          ['light', 'ライト'],
          ['dark', 'ダーク'],
        ],
      },
      position: {
        label: '位置',
        options: [
          ['', '右'],
          ['left', '左'],
        ],
      },
      layout: {
        label: 'レイアウト',
        options: [
          ['', 'フロート'],
          ['wide', 'ワイド'],
          ['dock', 'サイドに固定'],
          ['full', '全画面'],
        ],
      },
    },
    fields: {
      accent: 'ボタンの色',
      greeting: '最初のあいさつ',
      suggestions: '質問の候補（| で区切る）',
      product: 'ページの作品（ID）',
      '--ma-question': '質問の吹き出しの色',
      '--ma-offset-y': '画面下からの距離',
    },
    switches: {
      cart: 'ページにカートがある',
      pinned: 'バージョンをハッシュ付きで固定する（サーバーを更新するたびにタグの変更が必要）',
    },
    tag: 'タグ',
    styles: 'ページのスタイル',
    copy: 'コピー',
    open: 'チャットを開く',
    copied: 'コピーしました。',
    selected: '選択しました。Ctrl+C（Macでは⌘C）でコピーしてください。',
    script: 'このページにはJavaScriptが必要です。',
  },
  en: {
    title: 'Try the MangaAssist chat',
    skip: 'Skip to the settings',
    heading: 'Try the chat',
    introduction:
      'Change a setting: the chat in the corner follows, and the tag below is what your page needs. It is the real chat of this server.',
    contracts: 'The contracts are in',
    documents: 'the API documents',
    languages: 'Languages',
    settings: 'Settings',
    choices: {
      language: {
        label: 'Language',
        options: [
          ['', 'the page’s'],
          ['ja', 'Japanese'],
          ['en', 'English'],
        ],
      },
      theme: {
        label: 'Theme',
        options: [
          ['', 'automatic'],
          ['light', 'light'],
          ['dark', 'dark'],
        ],
      },
      position: {
        label: 'Side',
        options: [
          ['', 'right'],
          ['left', 'left'],
        ],
      },
      layout: {
        label: 'Layout',
        options: [
          ['', 'float'],
          ['wide', 'wide'],
          ['dock', 'dock'],
          ['full', 'full'],
        ],
      },
    },
    fields: {
      accent: 'Colour of the buttons',
      greeting: 'Greeting',
      suggestions: 'Suggestions, with | between them',
      product: 'Series of the page',
      '--ma-question': 'Colour of questions',
      '--ma-offset-y': 'Distance from the bottom',
    },
    switches: {
      cart: 'The page has a cart',
      pinned: 'Pin the version, with its hash: change the tag at every upgrade of the server',
    },
    tag: 'The tag',
    styles: 'Styles of your page',
    copy: 'Copy',
    open: 'Open the chat',
    copied: 'Copied.',
    selected: 'Selected. Press Ctrl+C or ⌘C.',
    script: 'This page needs JavaScript.',
  },
}
