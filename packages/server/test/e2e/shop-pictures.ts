// Makes the pictures of README.md again (`npm run pictures -- shop`): the storefront, and a server that is killed with `kill -9` in the
// middle of an answer, with real processes and a real Chromium. The answer at the end must begin with what was shown before.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { systemClock } from '#adapters/system/clock.ts'
import { freePort } from '#fixtures/stores/free-port.ts'
import { contactSheet } from './contact-sheet.ts'
import type { Frame } from './contact-sheet.ts'
import { SLOWLY, startServer, temporaryFolder } from './server-process.ts'

const FOLDER = join(import.meta.dirname, '../../../../docs/images')
const PHONE = { width: 360, height: 680 }
const DESK = { width: 1280, height: 860 }
const QUESTION = { ja: '進撃の巨人が好きなら次は何を読む？', en: 'Something like Spy x Family but darker' } as const
const CAPTIONS = {
  ja: ['回答の途中', 'kill -9', '再起動のあと', '同じ回答の続き'],
  en: ['In the middle of an answer', 'kill -9', 'Started again', 'The same answer, to its end'],
} as const
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
const clock = systemClock()
type PictureLanguage = keyof typeof QUESTION

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: FLAGS })
try {
  await showPages()
  for (const language of ['en', 'ja'] as const) await showRestart(language)
} finally {
  await browser.close()
}

/** The storefront with the chat on a desk, a series in English, and the chat on a phone in the dark. */
async function showPages(): Promise<void> {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path })
  const pictures = [
    { name: 'storefront-chat', path: '/', locale: 'ja-JP', viewport: DESK, question: QUESTION.ja },
    {
      name: 'series-english',
      path: '/en/series/berserk',
      locale: 'en-GB',
      viewport: DESK,
      question: 'Is this one finished?',
    },
    {
      name: 'phone-dark',
      path: '/',
      locale: 'ja-JP',
      viewport: PHONE,
      question: '完結済みで10巻以内のおすすめは？',
      dark: true,
    },
  ]
  for (const { dark = false, locale, name, path, question, viewport } of pictures) {
    const isPhone = viewport === PHONE
    const profile = await browser.newContext({
      viewport,
      locale,
      hasTouch: isPhone,
      deviceScaleFactor: isPhone ? 2 : 1,
      colorScheme: dark ? 'dark' : 'light',
    })
    const page = await profile.newPage()
    await page.goto(`${server.address}${path}`)
    await ask(page, question)
    await page.locator('[data-phase=ended]').waitFor()
    await page.getByTestId('chat-rating').last().waitFor()
    await page.screenshot({ path: join(FOLDER, `${name}.png`) })
    await profile.close()
  }
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByTestId('chat-launcher').click()
  await page.getByTestId('chat-input').fill(question)
  await page.getByTestId('chat-send').click()
}

async function showRestart(language: PictureLanguage): Promise<void> {
  await using folder = await temporaryFolder()
  const port = String(await freePort())
  const options = { dataDir: folder.path, env: { ...SLOWLY, PORT: port } }
  await using first = await startServer(options)
  const phone = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 2, locale: language, hasTouch: true })
  const page = await phone.newPage()
  const frames: Frame[] = []
  let startedAt = 0
  const take = async () => {
    const mark = `${((clock.now() - startedAt) / 1000).toFixed(1)} s`
    frames.push({ mark, caption: CAPTIONS[language][frames.length] ?? '', image: await page.screenshot() })
  }

  await page.goto(`${first.address}${language === 'ja' ? '/' : '/en/'}`)
  startedAt = clock.now()
  await ask(page, QUESTION[language])
  const shown = await textOf(page, (text) => text.length > (language === 'ja' ? 60 : 140))
  await take()
  await first.kill()
  await page.getByTestId('chat-notice').waitFor()
  await take()
  await using _second = await startServer(options)
  await textOf(page, (text) => text.length > shown.length + 10)
  await take()
  await page.locator('[data-phase=ended]').waitFor()
  const end = await textOf(page, () => true)
  if (!end.startsWith(shown.slice(0, -1))) throw new Error('The answer does not continue what was shown.')
  await take()
  await phone.close()
  process.stdout.write(`${language}: killed at ${shown.length} of ${end.length} characters\n`)
  const picture = await contactSheet(browser, frames, { columns: 4, language, widthPx: 1200 })
  await writeFile(join(FOLDER, `restart-${language}.png`), picture)
}

/** The text of the answer, once it is as it should be. */
async function textOf(page: Page, isEnough: (text: string) => boolean): Promise<string> {
  const answer = page.getByTestId('chat-answer').last()
  await answer.waitFor()
  for (let poll = 0; poll < 600; poll += 1) {
    const text = (await answer.textContent())?.trim() ?? ''
    if (isEnough(text)) return text
    await page.waitForTimeout(50)
  }
  throw new Error('The answer did not come.')
}
