// The button that opens the chat, with the number of unread answers, and a note for the case that the panel could not be loaded.
// Plain DOM: it must stand before any library is loaded.
import type { Language } from '@mangaassist/protocol'
import { speak } from '../../speak.ts'
import { launcherWords } from './launcher-words.ts'

/** A speech balloon with lines of text. */
export const balloonPath =
  'M12 3C6.5 3 2.5 6.5 2.5 11c0 2.6 1.4 4.9 3.6 6.3L5 21.5l4.7-2.7c.7.1 1.5.2 2.3.2 5.5 0 9.5-3.5 9.5-8S17.5 3 12 3zM8 9.5h8M8 12.7h5'

const unreadShownMax = 9

export interface LauncherState {
  readonly language: Language
  readonly shown: boolean
  readonly unread: number
  /** `failed`: the panel could not be loaded; the button tries again. */
  readonly panel: 'idle' | 'loading' | 'failed'
}

export interface Launcher {
  readonly nodes: readonly HTMLElement[]
  update(state: LauncherState): void
  focus(): void
}

export interface LauncherEvents {
  readonly open: () => void
  /** The pointer or the focus came near: the panel will probably be wanted. */
  readonly approach: () => void
}

export function createLauncher({ open, approach }: LauncherEvents): Launcher {
  const button = element('button', {
    class: 'launcher',
    part: 'launcher',
    'data-testid': 'chat-launcher',
    'aria-haspopup': 'dialog',
  })
  button.type = 'button'
  const words = element('span', {})
  const dot = element('span', { class: 'dot' })
  button.append(balloon(), words, dot)
  button.addEventListener('click', open)
  for (const type of ['pointerenter', 'focus', 'touchstart'])
    button.addEventListener(type, approach, { once: true, passive: true })
  const note = element('p', { class: 'launcher-note', role: 'status', 'data-testid': 'chat-launcher-note' })

  return {
    nodes: [button, note],
    update({ language, shown, unread, panel }) {
      const say = speak(launcherWords, language)
      button.hidden = !shown
      words.textContent = say('launch')
      const label = say('launchLabel')
      button.setAttribute('aria-label', unread > 0 ? `${label} (${say('unread', unread)})` : label)
      button.setAttribute('aria-busy', String(panel === 'loading'))
      dot.hidden = unread === 0
      dot.textContent = unread > unreadShownMax ? `${unreadShownMax}+` : String(unread)
      note.hidden = !shown || panel === 'idle'
      note.textContent = note.hidden ? '' : say(panel === 'loading' ? 'opening' : 'openFailed')
      note.classList.toggle('unseen', panel === 'loading')
    },
    focus: () => button.focus({ preventScroll: true }),
  }
}

function element<Name extends 'button' | 'span' | 'p'>(name: Name, attributes: Readonly<Record<string, string>>) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

function balloon(): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', balloonPath)
  for (const [key, value] of [
    ['class', 'icon'],
    ['viewBox', '0 0 24 24'],
    ['aria-hidden', 'true'],
    ['focusable', 'false'],
  ] as const)
    svg.setAttribute(key, value)
  svg.append(path)
  return svg
}
