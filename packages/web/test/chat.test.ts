// The chat on the built page in a real browser, with a scripted server: what a shopper sees and does.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'
import type { Visit } from './browser.ts'
import { cards } from './fake-api.ts'
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
})
afterEach(async () => {
  await visited.close()
  await server.close()
})

const find = (id: string): Locator => page.getByTestId(`chat-${id}`)
const ended = (): Locator => page.locator('[data-testid=chat-exchange][data-phase=ended]')
const notice = (text: string): Promise<void> => find('notice').filter({ hasText: text }).waitFor()
/** Resolves when it has the focus, which follows the update of the panel. */
const focused = (part: Locator): Promise<void> => part.and(page.locator(':focus')).waitFor()

async function box(part: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  const found = await part.boundingBox()
  assert.ok(found !== null)
  return found
}

async function ask(question: string): Promise<void> {
  // The chat loads after the page: until then there is neither launcher nor field.
  await page.locator('[data-testid=chat-launcher]:visible, [data-testid=chat-input]:visible').first().waitFor()
  if (await find('launcher').isVisible()) await find('launcher').click()
  await find('input').fill(question)
  await find('input').press('Enter')
}

test('an answer streams in with its cards, under the server’s policy', async () => {
  const products = cards(['akira', 'berserk'], 'ja')
  server.script = streaming('**『AKIRA』**は[こちら](/series/akira)です。', { meta: { products } })
  await ask('AKIRAはありますか')
  await ended().waitFor()
  assert.equal(await find('question').innerText(), 'AKIRAはありますか')
  assert.equal(await find('answer').innerText(), '『AKIRA』はこちらです。')
  assert.equal(await find('answer').locator('strong').innerText(), '『AKIRA』')
  // What stands below an answer is loaded behind its first words: the answer's end may come sooner.
  await find('card').nth(1).waitFor()
  assert.deepEqual(await find('card').locator('.card-title').allInnerTexts(), ['AKIRA', 'ベルセルク'])
  const card = await find('card').first().innerText()
  for (const fact of ['大友克洋', '全6巻', '完結', '1,100円', '残り3点'])
    assert.ok(card.includes(fact), `${fact}: ${card}`)
  assert.equal(await find('input').inputValue(), '')
  assert.deepEqual(visited.complaints, [])
})

test('when an answer ends, the view shows its question and its first line, and no button lies on a card', async () => {
  const products = cards(['akira', 'berserk', 'bleach', 'dandadan', 'golden-kamuy'], 'ja')
  server.script = streaming('以前の答えです。\n\n'.repeat(30))
  await ask('一つ目')
  await ended().waitFor()
  server.script = streaming('最初の行です。\n\n' + '次の行です。\n\n'.repeat(12), { meta: { products } })
  await ask('二つ目')
  await ended().nth(1).waitFor()
  await find('to-latest').waitFor()
  const log = await box(find('log'))
  for (const part of [find('question').nth(1), find('answer').nth(1).getByText('最初の行です。')]) {
    const { y, height } = await box(part)
    assert.ok(y >= log.y && y + height <= log.y + log.height, `${y} is in the view`)
  }
  assert.ok((await box(find('to-latest'))).y >= log.y + log.height, 'the button is below the log')
  await find('to-latest').click()
  await find('to-latest').waitFor({ state: 'hidden' })
  const card = await box(find('card').last())
  assert.ok(card.y + card.height <= log.y + log.height + 60, 'the last card is in sight')
})

test('the log does not move under a reader while an answer grows', async () => {
  const goOn = Promise.withResolvers<void>()
  server.script = async (turn) => {
    turn.meta()
    turn.text('最初の行です。\n\n')
    await goOn.promise
    turn.text('次の行です。\n\n'.repeat(40))
    turn.done()
  }
  await ask('a')
  await find('answer').getByText('最初の行です。').waitFor()
  // The panel rises when it opens; until then every box moves.
  await find('log').evaluate((log) =>
    Promise.all((log.getRootNode() as ShadowRoot).getAnimations().map(({ finished }) => finished)),
  )
  const before = await box(find('question'))
  goOn.resolve()
  await ended().waitFor()
  assert.equal((await box(find('question'))).y, before.y)
})

test('a link in an answer opens its page in place, and the conversation stays', async () => {
  server.script = streaming('[こちら](/series/akira)')
  await ask('a')
  await find('answer').getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'AKIRA' }).waitFor()
  assert.equal(await find('answer').innerText(), 'こちら')
  assert.equal(new URL(page.url()).pathname, '/series/akira')
})

test('the stop button stops the model', async () => {
  server.script = async (turn) => {
    turn.meta()
    turn.text('はい、')
    await turn.stopped
    turn.done({ finishReason: 'stopped' })
  }
  await ask('a')
  await find('answer').waitFor()
  await find('stop').click()
  await ended().waitFor()
  assert.match(await find('end').innerText(), /停止しました/)
  await find('send').waitFor()
  await focused(find('input'))
})

test('a connection lost during an answer shows a notice, and the answer arrives complete', async () => {
  const goOn = Promise.withResolvers<void>()
  server.script = async (turn) => {
    turn.meta()
    turn.text('前半、')
    await goOn.promise
    turn.text('後半。')
    turn.done()
  }
  await ask('a')
  await find('answer').waitFor()
  // Both notices are short: each is waited for from before what causes it.
  const [lost, back] = [notice('接続が切れました'), notice('接続が戻りました')]
  server.dropSockets()
  await lost
  goOn.resolve()
  await Promise.all([ended().waitFor(), back])
  assert.equal(await find('answer').innerText(), '前半、後半。')
})

// No missed heartbeat can cause the notice: none is due before the page's own timeout.
test('the loss of the network is shown at once, and so is its return', async () => {
  server.script = streaming('はい。')
  await ask('a')
  await ended().waitFor()
  await page.context().setOffline(true)
  await notice('接続が切れました')
  // It is shown for three seconds.
  await Promise.all([notice('接続が戻りました'), page.context().setOffline(false)])
})

test('a message that is too long returns to the field', async () => {
  server.script = (turn) =>
    turn.send({
      type: 'error',
      turnId: turn.turnId,
      code: 'INVALID_REQUEST',
      message: 'no',
      details: { reason: 'too-long', limit: 5000, unit: 'characters' },
    })
  await ask('とても長い質問')
  await find('limit').filter({ hasText: '長すぎます（5,000文字まで）' }).waitFor()
  assert.equal(await find('exchange').count(), 0)
  assert.equal(await find('input').inputValue(), 'とても長い質問')
})

test('when the conversation’s budget is used up, the question can be asked in a new one', async () => {
  server.script = streaming('はい。')
  await ask('一つ目')
  await ended().waitFor()
  const details = { scope: 'session-input', retryable: false }
  const message = 'この会話でお答えできる分を使い切りました。'
  server.script = (turn) => turn.send({ type: 'error', turnId: turn.turnId, code: 'QUOTA_EXCEEDED', message, details })
  await ask('二つ目')
  await find('end').filter({ hasText: message }).waitFor()
  assert.equal(await find('retry').innerText(), '新しい会話で質問する')
  server.script = streaming('新しい会話です。')
  await find('retry').click()
  await find('answer').filter({ hasText: '新しい会話です。' }).waitFor()
  assert.deepEqual(
    server.asked.map(({ sessionId, message: said }) => [said, sessionId]),
    [
      ['一つ目', undefined],
      ['二つ目', 's1'],
      ['二つ目', undefined],
    ],
  )
})

test('after three seconds without text the chat says that it is still working', async () => {
  server.script = (turn) => turn.meta()
  // The first words are shown for three seconds.
  await Promise.all([find('waiting').filter({ hasText: '考えています' }).waitFor(), ask('a')])
  await find('waiting').filter({ hasText: 'もう少しお待ちください' }).waitFor()
})

test('a reload restores the conversation and continues the running answer', async () => {
  const goOn = Promise.withResolvers<void>()
  server.script = async (turn) => {
    turn.meta({ products: cards(['akira'], 'ja') })
    turn.text('まだ')
    await goOn.promise
    turn.text('続きます。')
    turn.done()
  }
  await ask('二つ目')
  await find('answer').waitFor()
  const old = {
    turnId: 't0',
    question: '一つ目',
    answer: '一つ目の答え',
    language: 'ja',
    finishReason: 'stop',
    tier: 'primary',
  }
  server.session = {
    turns: [
      { ...old, products: cards(['berserk'], 'ja') },
      { ...old, turnId: 't00', products: ['akira'] },
    ],
    runningTurn: { turnId: 't1', question: '二つ目' },
  }
  await page.reload()
  // A reload leaves the panel open.
  await find('answer').nth(2).filter({ hasText: 'まだ' }).waitFor()
  goOn.resolve()
  await ended().nth(2).waitFor()
  assert.deepEqual(await find('question').allInnerTexts(), ['一つ目', '一つ目', '二つ目'])
  assert.deepEqual(await find('answer').allInnerTexts(), ['一つ目の答え', '一つ目の答え', 'まだ続きます。'])
  await find('card').nth(1).waitFor()
  assert.deepEqual(await find('card').locator('.card-title').allInnerTexts(), ['ベルセルク', 'AKIRA'])
})

test('an interrupted answer can be asked again', async () => {
  server.script = (turn) => {
    turn.text('途中まで')
    turn.done({ finishReason: 'interrupted' })
  }
  await ask('a')
  await find('retry').waitFor()
  server.script = streaming('今度は最後まで。')
  await find('retry').click()
  await find('answer').filter({ hasText: '今度は最後まで。' }).waitFor()
  assert.equal(await find('earlier').locator('summary').innerText(), '以前のやりとり（1）')
})

test('a warning and the kind of an answer are shown as small notes', async () => {
  server.script = streaming('はい。', { meta: { degraded: true, tier: 'faq', warning: '本日分の80%です。' } })
  await ask('a')
  await ended().waitFor()
  assert.equal(await find('remark').innerText(), '本日分の80%です。')
  assert.equal(await find('origin').innerText(), 'よくあるご質問からの回答')
})

test('Enter in an input method does not send, Shift+Enter adds a line, Enter sends', async () => {
  server.script = streaming('はい。')
  await find('launcher').click()
  const field = find('input')
  await field.fill('しんげき')
  await field.evaluate((element) => {
    const tell = (event: Event): boolean => element.dispatchEvent(event)
    tell(new CompositionEvent('compositionstart', { bubbles: true }))
    tell(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))
    tell(new CompositionEvent('compositionend', { data: '進撃', bubbles: true }))
    tell(new KeyboardEvent('keyup', { key: 'Enter', bubbles: true }))
    // Safari's order: the composition ends before the keydown.
    tell(new CompositionEvent('compositionstart', { bubbles: true }))
    tell(new CompositionEvent('compositionend', { data: '進撃', bubbles: true }))
    tell(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    tell(new KeyboardEvent('keyup', { key: 'Enter', bubbles: true }))
  })
  assert.equal(server.asked.length, 0)
  const oneLine = await field.evaluate((element) => element.clientHeight)
  await field.press('Shift+Enter')
  await field.pressSequentially('b')
  assert.ok((await field.evaluate((element) => element.clientHeight)) > oneLine, 'the field grew')
  await field.press('Enter')
  await ended().waitFor()
  assert.deepEqual(
    server.asked.map(({ message }) => message),
    ['しんげき\nb'],
  )
})

test('the keyboard opens, asks and closes, and focus is never lost', async () => {
  await find('launcher').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: '漫画アシスタント' }).waitFor()
  await focused(find('input'))
  await page.keyboard.press('Escape')
  await find('panel').waitFor({ state: 'hidden' })
  await focused(find('launcher'))
})

test('a screen reader announces the whole answer once', async () => {
  server.script = streaming('**はい**、ございます。', { meta: { products: cards(['akira'], 'ja') } })
  await ask('a')
  await find('announcer')
    .filter({ hasText: '回答：はい、ございます。 作品を1点ご紹介しています。' })
    .waitFor({ state: 'attached' })
})

test('the language changes in the chat and on the page together, and is remembered', async () => {
  await find('launcher').click()
  await find('language').click()
  await page.getByRole('dialog', { name: 'Manga assistant' }).waitFor()
  await page.locator('html[lang=en]').waitFor()
  // The page arrives later than the words of the chat, and a reader who writes there keeps the focus.
  assert.equal(await page.evaluate(() => document.activeElement?.localName), 'manga-assist')
  await page.reload()
  await page.getByRole('dialog', { name: 'Manga assistant' }).waitFor()
  await find('close').click()
  await page.getByRole('button', { name: 'Ask us: open the manga assistant' }).waitFor()
  await page.getByTestId('language').click()
  await page.getByRole('button', { name: '漫画アシスタントに相談する' }).waitFor()
})

test('a new conversation starts empty, in a new session', async () => {
  server.script = streaming('はい。')
  await ask('a')
  await ended().waitFor()
  await find('new').click()
  await find('suggestion').nth(2).waitFor()
  await find('suggestion').first().click()
  await ended().waitFor()
  assert.deepEqual(
    server.asked.map(({ sessionId }) => sessionId),
    [undefined, undefined],
  )
})

test('an answer that ends while the panel is closed is marked on the launcher', async () => {
  const goOn = Promise.withResolvers<void>()
  server.script = async (turn) => {
    await goOn.promise
    turn.text('はい。')
    turn.done()
  }
  await ask('a')
  await find('close').click()
  goOn.resolve()
  await page.getByRole('button', { name: '新しい回答が1件あります' }).waitFor()
})
