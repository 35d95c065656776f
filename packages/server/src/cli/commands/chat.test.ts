// The terminal chat with a real server that the command starts itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { serve } from '#main.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import type { FakeTerminal } from '../testing/fake-terminal.ts'
import { displayWidth } from '../output/display-width.ts'
import { shownOn } from '../testing/virtual-screen.ts'

const slow = { MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded', MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '2' }

const terminalFor = (context: TestContext, options?: Parameters<typeof fakeTerminal>[1]): FakeTerminal =>
  fakeTerminal(context, { ...options, isIndexed: true })

interface Line {
  sessionId: string
  text: string
  products: unknown[]
  done: { finishReason: string; length: number; sessionVersion: number }
  verified: boolean
}

const linesOf = ({ printed }: FakeTerminal) =>
  printed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

test('a message is answered as text, with the products', async (context) => {
  const terminal = terminalFor(context)
  assert.equal(await main(['chat', '--message', '進撃の巨人はありますか'], terminal), 0)
  assert.match(
    terminal.printed.out,
    /『進撃の巨人』[^]*\n {2}進撃の巨人 {3}全34巻・完結 {3}1巻[\d,]+円・全巻[\d,]+円 {3}在庫あり\n/u,
  )
  // No colours, no sign, no marks of Markdown.
  assert.doesNotMatch(terminal.printed.out, /\u001B|\r|\]\(|\*\*|⠋/u)
  assert.equal(terminal.printed.err, '')
})

test('lines on standard input are one conversation, with a line of JSON for each answer', async (context) => {
  const terminal = terminalFor(context, { typed: 'Do you have Attack on Titan?\n\nHow long does shipping take?\n' })
  assert.equal(await main(['chat', '--json'], terminal), 0)
  const [first, second, ...more] = linesOf(terminal)
  assert.equal(more.length, 0)
  assert.ok(first?.verified && first.products.length > 0 && first.text.length === first.done.length)
  assert.equal(second?.sessionId, first.sessionId)
  assert.deepEqual([first.done.sessionVersion, second?.done.sessionVersion], [1, 2])
})

test('a later command continues the conversation as the same guest', async (context) => {
  const terminal = terminalFor(context)
  await main(['chat', '--json', '--message', 'hello'], terminal)
  const sessionId = linesOf(terminal)[0]?.sessionId ?? ''
  assert.equal(await main(['chat', '--json', '--message', 'shipping?', '--session', sessionId], terminal), 0)
  assert.deepEqual(
    linesOf(terminal).map((line) => line.sessionId),
    [sessionId, sessionId],
  )
})

test('a conversation that does not exist is an error', async (context) => {
  const terminal = terminalFor(context)
  assert.equal(await main(['chat', '--message', 'hello', '--session', 'sess_nobody'], terminal), 1)
  assert.notEqual(terminal.printed.err, '')
})

test('an interrupt stops the answer after the text so far', async (context) => {
  const terminal = terminalFor(context, { env: slow })
  terminal.onOutput = () => terminal.signal()
  assert.equal(await main(['chat', '--message', '進撃の巨人が好きなら次は何を読む？'], terminal), 1)
  assert.match(terminal.printed.out, /\(stopped\)/)
  assert.equal(terminal.printed.err, 'Stopped.\n')
})

test('--url selects the server, and one that does not answer is reported', async (context) => {
  const terminal = terminalFor(context, { env: { MANGA_SERVER__LOGLEVEL: 'silent' } })
  const server = await serve({ ...terminal, print: () => {} })
  context.after(() => server.close())
  assert.equal(await main(['chat', '--message', 'hello', '--url', server.address], terminal), 0)
  for (const url of ['http://127.0.0.1:1', 'nonsense']) {
    const other = terminalFor(context)
    assert.equal(await main(['chat', '--message', 'hello', '--url', url], other), 1)
    assert.match(other.printed.err, /No MangaAssist answers/)
  }
})

const END_OF_INPUT = '\u0004'
const INTERRUPT = '\u0003'
/** What readline writes after the prompt. */
const PROMPT = /> (?:\u001B\[\d+m)*\u001B\[3G/gu

/** Types a line at each prompt, and then ends the input. */
function typeAtPrompts(terminal: FakeTerminal, lines: readonly string[]): void {
  let prompts = 0
  terminal.onOutput = (text) => {
    const seen = text.match(PROMPT)?.length ?? 0
    if (seen === prompts) return
    prompts = seen
    const line = lines[seen - 1]
    queueMicrotask(() => terminal.type(line === undefined ? END_OF_INPUT : `${line}\r`))
  }
}

async function talked(terminal: FakeTerminal, lines: readonly string[]) {
  typeAtPrompts(terminal, lines)
  const code = await main(['chat'], terminal)
  return { code, lines: shownOn(terminal.printed.out), text: shownOn(terminal.printed.out).join('\n') }
}

test('a person gets a welcome, rendered answers within the width, cards, and suggestions by number', async (context) => {
  const terminal = terminalFor(context, { columns: 70, env: { LANG: 'en_US.UTF-8' } })
  const { code, lines, text } = await talked(terminal, ['finished horror series, please', '1'])
  assert.equal(code, 0)
  assert.match(text, /^MangaAssist, the assistant of a manga store\.[^]*\/quit/u)
  const [, label = ''] = /^ {2}1 {2}(.+)$/mu.exec(text) ?? []
  assert.ok(label.length > 0, text)
  assert.match(text, /^ .*\d+ volumes?, complete {3,}¥[\d,]+ each, ¥[\d,]+ in all {3,}(?:in stock|sold out)$/mu)
  assert.match(text, /^ {4}http:\/\/127\.0\.0\.1:\d+\/series\/[a-z0-9-]+$/mu)
  assert.match(text, /^> 1\n→ .+\n[^>]+/mu)
  assert.doesNotMatch(text, /\*\*|\]\(\/|Thinking|[⠋⠙⠹]/u)
  assert.ok(
    lines.every((line) => displayWidth(line) <= 70),
    text,
  )
  // The sign was there between the question and the first word, and the titles are emphasised.
  assert.match(terminal.printed.out, /⠋ Thinking…[^]*\r\u001B\[K[^⠋]/u)
  assert.match(terminal.printed.out, /\u001B\[4m/u)
})

test('/help, /new and unknown commands are not questions; exit leaves', async (context) => {
  const terminal = terminalFor(context, { columns: 80, env: { NO_COLOR: '1' } })
  const { code, text } = await talked(terminal, ['/help', '/hepl', '/new', '', 'exit', 'never typed'])
  assert.equal(code, 0)
  assert.match(
    text,
    /\/new {4}start a new conversation[^]*Unknown command \/hepl\. Did you mean \/help\?[^]*New conversation\./u,
  )
  assert.doesNotMatch(text, /never typed|series\//u)
  assert.doesNotMatch(terminal.printed.out, /\u001B\[\d*m/u, 'NO_COLOR')
})

test('Ctrl-C stops an answer and the chat continues; at the prompt it leaves', async (context) => {
  const terminal = terminalFor(context, { columns: 80, env: slow })
  typeAtPrompts(terminal, ['進撃の巨人が好きなら次は何を読む？', INTERRUPT])
  const atPrompts = terminal.onOutput
  let isStopped = false
  terminal.onOutput = (text) => {
    atPrompts(text)
    if (isStopped || !/\u001B\[K[^⠋-⠿]*[ぁ-ん][^⠋-⠿]*$/u.test(text.slice(text.lastIndexOf('読む？')))) return
    isStopped = true
    queueMicrotask(() => terminal.type(INTERRUPT))
  }
  assert.equal(await main(['chat'], terminal), 0)
  assert.match(shownOn(terminal.printed.out).join('\n'), /\(stopped\)/u)
  assert.equal(terminal.printed.err, 'Stopped.\n')
})

test('with a Japanese locale the interface is Japanese, and a title alone is answered in Japanese', async (context) => {
  const terminal = terminalFor(context, { columns: 80, env: { LANG: 'ja_JP.UTF-8' } })
  const { text } = await talked(terminal, ['SLAM DUNK', '/x', '/quit'])
  assert.match(text, /^MangaAssist：マンガ書店のアシスタント/u)
  assert.match(text, /巻・完結 .*在庫/u)
  assert.match(text, /\/x というコマンドはありません/u)
  assert.doesNotMatch(text, /in stock|volumes/u)
})

test('a pipe gets no welcome and no suggestions; its commands work, and an unknown one fails', async (context) => {
  const terminal = terminalFor(context, { typed: 'hello\n/new\n1\n/nonsense\nquit\nnever asked\n' })
  assert.equal(await main(['chat', '--json'], terminal), 1)
  const answers = linesOf(terminal)
  assert.equal(answers.length, 2)
  assert.notEqual(answers[0]?.sessionId, answers[1]?.sessionId, '/new')
  assert.match(terminal.printed.err, /New conversation\.\nUnknown command \/nonsense\./u)
})
