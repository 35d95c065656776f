// The page: a conversation with the assistant. It keeps its session across reloads, resumes an answer that was under
// way, and never leaves the shopper without a way onward.
import { ChatError, createClient } from '@mangaassist/client'
import type { ChatPart, ConnectionState } from '@mangaassist/client'
import { endOf, playAnswer } from './answer-view.ts'
import type { Ended } from './answer-view.ts'
import { byId } from './element.ts'
import { createExchangeView } from './exchange-view.ts'
import type { ExchangeView } from './exchange-view.ts'
import { recall, remember } from './memory.ts'
import { loadSession } from './sessions.ts'
import { hush, languageNow, say, speak } from './words.ts'
import type { Word } from './words.ts'

const page = {
  scroller: byId('scroller', HTMLElement),
  welcome: byId('welcome', HTMLElement),
  conversation: byId('conversation', HTMLElement),
  notice: byId('notice', HTMLElement),
  form: byId('form', HTMLFormElement),
  message: byId('message', HTMLTextAreaElement),
  send: byId('send', HTMLButtonElement),
  stop: byId('stop', HTMLButtonElement),
  language: byId('language', HTMLButtonElement),
  newConversation: byId('new-conversation', HTMLButtonElement),
}

const client = createClient({
  url: location.origin,
  onState: showConnection,
  onNotice: (notice) => {
    if (notice.type === 'transferred') showNotice('transferred')
    else showNotice(notice.action === 'none' ? undefined : { text: notice.message })
  },
})

/** A question on its way: what is needed to ask it again, or to read its answer again. */
interface Exchange {
  readonly question: string | undefined
  readonly view: ExchangeView
  idempotencyKey: string
  turnId: string | undefined
}

/** Stops the answer under way; absent when there is none. */
let stopAnswer: (() => void) | undefined

function ask(question: string): void {
  const exchange = showExchange(question)
  void follow(exchange, askFor(exchange))
}

function showExchange(question: string | undefined, turnId?: string): Exchange {
  const view = createExchangeView(question)
  page.welcome.hidden = true
  page.conversation.append(view.root)
  scrollToEnd()
  return { question, view, turnId, idempotencyKey: randomKey() }
}

/** A function of the signal, so that stopping works from the first moment. */
type Parts = (signal: AbortSignal) => AsyncIterable<ChatPart>

function askFor({ question = '', idempotencyKey }: Exchange): Parts {
  return (signal) => client.chat({ message: question, sessionId: recall().sessionId, idempotencyKey, signal })
}

function readAgain(turnId: string): Parts {
  return (signal) => {
    signal.addEventListener('abort', () => void client.stop(turnId).catch(() => {}))
    return client.resume(turnId)
  }
}

async function follow(exchange: Exchange, parts: Parts): Promise<void> {
  const { view } = exchange
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  setAnswering(stop)
  const onPart = (part: ChatPart): void => {
    if (part.type === 'accepted') rememberTurn(exchange, part)
    keepAtEnd()
  }
  try {
    showEnd(exchange, await playAnswer(parts(controller.signal), view, onPart))
  } catch (error) {
    showFailure(exchange, error, controller.signal.aborted)
  }
  // After "new conversation" the next answer may already be under way.
  if (stopAnswer === stop) setAnswering(undefined)
}

function rememberTurn(exchange: Exchange, { turnId, sessionId }: ChatPart & { type: 'accepted' }): void {
  exchange.turnId = turnId
  const { question, view } = exchange
  // Accepted after the shopper had turned to a new conversation.
  if (!view.root.isConnected) return
  remember({ sessionId, asked: question === undefined ? undefined : { turnId, question } })
}

function showEnd(exchange: Exchange, { word, remedy }: Ended): void {
  exchange.view.end({ ...(word && { word }), ...(remedy && { retry: remedyOf(exchange, remedy) }) })
}

function showFailure(exchange: Exchange, error: unknown, stopped: boolean): void {
  const { view } = exchange
  if (stopped && !(error instanceof ChatError)) return view.end({ word: 'endStopped' })
  if (error instanceof ChatError && error.code === 'CONNECTION_LOST') {
    return view.end({
      word: 'unreachable',
      retry: remedyOf(exchange, exchange.turnId === undefined ? 'resend' : 'read'),
    })
  }
  // Asking again then starts a conversation instead of failing for ever.
  if (error instanceof ChatError && isSessionGone(error)) remember({ sessionId: undefined, asked: undefined })
  const retry = remedyOf(exchange, 'ask')
  view.end(error instanceof ChatError ? { text: error.message, retry } : { word: 'unexpected', retry })
}

function isSessionGone({ code }: ChatError): boolean {
  return code === 'SESSION_EXPIRED' || code === 'NOT_FOUND'
}

/** `resend` is for a question that may have arrived: under its old key it is answered once. */
function remedyOf(exchange: Exchange, remedy: 'ask' | 'read' | 'resend'): () => void {
  return () => {
    if (stopAnswer !== undefined) return
    const { question, turnId } = exchange
    if (remedy === 'read' && turnId !== undefined) return void follow(exchange, readAgain(turnId))
    if (remedy === 'ask') exchange.idempotencyKey = randomKey()
    // What was never accepted is tried in its place; an answer that ended badly stays, and the next one follows it.
    if (turnId === undefined) void follow(exchange, askFor(exchange))
    else if (question !== undefined) ask(question)
  }
}

async function restore(): Promise<void> {
  const { sessionId, asked } = recall()
  if (sessionId === undefined) return
  try {
    const session = await loadSession(sessionId)
    if (session === 'gone') return remember({ sessionId: undefined, asked: undefined })
    for (const turn of session.turns) {
      const exchange = showExchange(turn.question, turn.turnId)
      exchange.view.text(turn.answer)
      showEnd(exchange, endOf(turn.finishReason))
    }
    scrollToEnd()
    const { runningTurnId } = session
    if (runningTurnId === undefined) return
    const question = asked?.turnId === runningTurnId ? asked.question : undefined
    void follow(showExchange(question, runningTurnId), readAgain(runningTurnId))
  } catch {
    showNotice('cannotLoad')
  }
}

function startAnew(): void {
  stopAnswer?.()
  setAnswering(undefined)
  remember({ sessionId: undefined, asked: undefined })
  page.conversation.replaceChildren()
  page.welcome.hidden = false
  showNotice(undefined)
  page.message.focus()
}

function setAnswering(stop: (() => void) | undefined): void {
  const hadFocus = document.activeElement === page.stop
  stopAnswer = stop
  page.stop.hidden = stop === undefined
  page.send.hidden = stop !== undefined
  // A button that disappears must not take the keyboard's place on the page with it.
  if (hadFocus) page.message.focus()
}

function submit(): void {
  const question = page.message.value.trim()
  if (question === '' || stopAnswer !== undefined) return
  page.message.value = ''
  showNotice(undefined)
  ask(question)
}

/** Enter that picks a candidate in a Japanese input method must not send: Safari only says so by key code 229. */
function isSendKey(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229
}

function showConnection(state: ConnectionState): void {
  if (state === 'lost') showNotice('connectionLost')
  else if (state === 'open' && page.notice.dataset['word'] === 'connectionLost') showNotice('connectionBack')
  else if (state === 'idle' && page.notice.dataset['word'] === 'connectionLost') showNotice(undefined)
}

const backShownMs = 3000
let noticeTimer: ReturnType<typeof setTimeout> | undefined

function showNotice(notice: Word | { readonly text: string } | undefined): void {
  clearTimeout(noticeTimer)
  if (typeof notice === 'string') say(page.notice, notice)
  else {
    hush(page.notice)
    page.notice.textContent = notice?.text ?? ''
  }
  if (notice === 'connectionBack') noticeTimer = setTimeout(() => showNotice(undefined), backShownMs)
}

function setLanguage(language: 'ja' | 'en'): void {
  speak(language)
  page.language.lang = language === 'ja' ? 'en' : 'ja'
  page.language.textContent = language === 'ja' ? 'English' : '日本語'
}

/** Somebody who scrolled up is reading: only those at the end are taken along. */
let atEnd = true
const nearEndPx = 80

function keepAtEnd(): void {
  if (atEnd) scrollToEnd()
}

function scrollToEnd(): void {
  page.scroller.scrollTop = page.scroller.scrollHeight
}

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('')
}

page.form.addEventListener('submit', (event) => {
  event.preventDefault()
  submit()
})
page.message.addEventListener('keydown', (event) => {
  if (!isSendKey(event)) return
  event.preventDefault()
  submit()
})
page.stop.addEventListener('click', () => stopAnswer?.())
page.newConversation.addEventListener('click', startAnew)
page.language.addEventListener('click', () => {
  const language = languageNow() === 'ja' ? 'en' : 'ja'
  remember({ language })
  setLanguage(language)
})
page.scroller.addEventListener('scroll', () => {
  const { scrollHeight, scrollTop, clientHeight } = page.scroller
  atEnd = scrollHeight - scrollTop - clientHeight < nearEndPx
})
for (const sample of document.querySelectorAll<HTMLButtonElement>('.sample')) {
  sample.addEventListener('click', () => {
    if (stopAnswer === undefined) ask(sample.textContent)
  })
}

setLanguage(recall().language ?? 'ja')
void restore()
page.message.focus()
