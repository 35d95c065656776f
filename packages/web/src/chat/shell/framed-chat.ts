// The chat inside of our frame (`/widget/frame`) on another site's page. It starts when that page has sent its settings, and tells the page
// which part of the window the chat covers, what happens in it, and when it needs a token. The page's origin is in the
// fragment of the address: a wrong one only means that no message arrives.
import type { MangaAssistElement, MangaAssistEvents } from '@mangaassist/react/element'
import { setPageOrigin } from '../../page-origin.ts'
import { reportArea } from './frame-area.ts'
import { framedSettings, framedVariables, isRecord, linkFrames, numberOf, textOf, tokenOf } from './frame-messages.ts'
import type { FrameMessage } from './frame-messages.ts'
import { usePageStorage } from './frame-storage.ts'

const answerWithinMs = 15_000
const variableCharactersMax = 300

const events = [
  'manga-assist-ready',
  'manga-assist-open',
  'manga-assist-close',
  'manga-assist-ask',
  'manga-assist-answer',
  'manga-assist-language',
  'manga-assist-error',
] as const satisfies readonly (keyof MangaAssistEvents)[]

/** `start` defines the element and adds it to the document. */
export function joinPage(start: (element: MangaAssistElement) => void): void {
  const origin = URL.parse(decodeURIComponent(location.hash.slice(1)))?.origin
  if (window.parent === window || origin === undefined || origin === 'null') return
  setPageOrigin(origin)
  const element = document.createElement('manga-assist')
  const waiting = new Map<number, (message: FrameMessage) => void>()
  let lastId = 0
  let stored: (message: FrameMessage) => void = () => {}

  const receivers: Readonly<Record<string, (message: FrameMessage) => void>> = {
    start(message) {
      if (element.isConnected) return
      stored = usePageStorage(message['kept'], link.send)
      applySettings(element, message['settings'])
      applyVariables(message['variables'])
      fillFrame(element)
      element.open = message['open'] === true
      start(element)
      element.getToken = askToken
      reportArea(element, link.send)
    },
    settings: (message) => applySettings(element, message['settings']),
    variables: (message) => applyVariables(message['variables']),
    stored: (message) => stored(message),
    tuck: ({ isHidden }) => rootOf(element)?.toggleAttribute('data-tucked', isHidden === true),
    open: (message) => (element.open = message['open'] === true),
    ask: ({ text }) => element.ask(textOf(text) ?? ''),
    prefill: ({ text }) => element.prefill(textOf(text) ?? ''),
    identity: () => (element.getToken = askToken),
    reply(message) {
      const id = numberOf(message['id']) ?? 0
      waiting.get(id)?.(message)
      waiting.delete(id)
    },
  }
  const link = linkFrames({
    origin,
    peer: () => window.parent,
    receive(message) {
      if (!element.isConnected && message.type !== 'start') return
      if (Object.hasOwn(receivers, message.type)) receivers[message.type]?.(message)
    },
  })

  function request(message: FrameMessage): Promise<FrameMessage> {
    const id = ++lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id)
        reject(new Error('MangaAssist: the page did not answer.'))
      }, answerWithinMs)
      waiting.set(id, (reply) => {
        clearTimeout(timer)
        resolve(reply)
      })
      link.send({ ...message, id })
    })
  }

  async function askToken(): Promise<string | null> {
    const { token, ok } = await request({ type: 'token' })
    if (ok !== true) throw new Error('MangaAssist: the page’s getToken failed.')
    return tokenOf(token)
  }

  tellEvents(element, link.send, request)
  link.send({ type: 'hello' })
}

type Send = (message: FrameMessage) => void

function tellEvents(
  element: MangaAssistElement,
  send: Send,
  request: (message: FrameMessage) => Promise<FrameMessage>,
): void {
  for (const name of events)
    element.addEventListener(name, ({ detail }) => send({ type: 'event', name, detail: { ...detail } }))
  element.addEventListener('manga-assist-cart', (event) => {
    event.preventDefault()
    void askCart(event.detail)
  })

  async function askCart({ productId, volume, quantity, done }: MangaAssistEvents['manga-assist-cart']): Promise<void> {
    const failed: FrameMessage = { type: 'reply' }
    const { ok, message, href } = await request({ type: 'cart', productId, volume, quantity }).catch(() => failed)
    done({ ok: ok === true, message: textOf(message) ?? '', href: textOf(href) ?? '' })
  }
}

function applySettings(element: HTMLElement, settings: unknown): void {
  if (!isRecord(settings)) return
  for (const name of framedSettings) {
    const value = textOf(settings[name])
    if (value === undefined) element.removeAttribute(name)
    else element.setAttribute(name, value)
  }
}

/** On the root of the document: the element sets the variables of its own attributes on itself, and those win. */
function applyVariables(variables: unknown): void {
  if (!isRecord(variables)) return
  for (const name of framedVariables)
    document.documentElement.style.setProperty(`--ma-${name}`, textOf(variables[name], variableCharactersMax) ?? '')
}

/** For `inline`: the page sizes the frame, and the chat fills it. */
function fillFrame(element: HTMLElement): void {
  document.body.style.margin = '0'
  element.style.height = '100vh'
}

/** The launcher moves out of the way of a page that is scrolled, which only the page knows. */
function rootOf(element: HTMLElement): Element | null | undefined {
  return element.shadowRoot?.querySelector('.root')
}
