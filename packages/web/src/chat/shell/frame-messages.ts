// The messages between a page and the chat in a frame. Either side is another site to the other: a message counts only when it comes
// from the expected window and the exact expected origin, has our mark, and its fields are of the expected types and lengths.

const mark = 'mangaassist-frame-1'
const textCharactersMax = 4000
const tokenCharactersMax = 16_384

/** The settings that reach the frame. The others are the page's: where the server is, and whether it is open. */
export const framedSettings = [
  'language',
  'position',
  'accent',
  'product',
  'link-hosts',
  'theme',
  'greeting',
  'suggestions',
  'cart',
  'layout',
  'inline',
] as const

/** CSS variables of the page that reach the frame, without `--ma-`: the documented ones, and the edges that a phone's screen hides. */
export const framedVariables = [
  'accent',
  'on-accent',
  'paper',
  'raised',
  'ink',
  'faint',
  'link',
  'line',
  'question',
  'font',
  'offset-x',
  'offset-y',
  'safe-top',
  'safe-right',
  'safe-bottom',
  'safe-left',
] as const

/** The page's storages that hold the chat's entries, by their names in the browser. */
export const keptPlaces = ['localStorage', 'sessionStorage'] as const
export type KeptPlace = (typeof keptPlaces)[number]

export function isKeptPlace(value: unknown): value is KeptPlace {
  return keptPlaces.some((place) => place === value)
}

export type FrameMessage = Readonly<Record<string, unknown>> & { readonly type: string }

export interface FrameLink {
  send(message: FrameMessage): void
  close(): void
}

export interface FrameLinkOptions {
  readonly peer: () => Window | null | undefined
  /** The only origin that messages are sent to and accepted from. */
  readonly origin: string
  readonly receive: (message: FrameMessage) => void
}

export function linkFrames({ peer, origin, receive }: FrameLinkOptions): FrameLink {
  const received = ({ data, origin: from, source }: MessageEvent<unknown>): void => {
    if (from !== origin || source === null || source !== peer()) return
    if (isMessage(data)) receive(data)
  }
  window.addEventListener('message', received)
  return {
    send: (message) => peer()?.postMessage({ ...message, mark }, origin),
    close: () => window.removeEventListener('message', received),
  }
}

function isMessage(data: unknown): data is FrameMessage {
  return isRecord(data) && data['mark'] === mark && typeof data['type'] === 'string'
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Undefined for anything but a text of a bearable length. */
export function textOf(value: unknown, charactersMax = textCharactersMax): string | undefined {
  return typeof value === 'string' && value.length <= charactersMax ? value : undefined
}

export function tokenOf(value: unknown): string | null {
  return textOf(value, tokenCharactersMax) ?? null
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
