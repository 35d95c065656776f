// The chat on the storefront: loaded after the page, opened by the page's buttons, and kept in step with the page's language and
// series. A button has `data-ask`: `open`, `send` its question, or `prefill` it.
import type { MangaAssistElement } from '@mangaassist/react/element'
import { createMemory } from '../memory.ts'

export interface Assistant {
  /** Tells the chat which page is shown. */
  follow(): void
}

const loadPanel = () => import('../chat/chat-panel.ts')
const pageLanguage = () => (document.documentElement.lang === 'en' ? 'en' : 'ja')

/** `go` shows another page. */
export function startAssistant({ go }: { readonly go: (href: string) => void }): Assistant {
  let loading: Promise<MangaAssistElement> | undefined
  const load = (): Promise<MangaAssistElement> => (loading ??= loadChat())

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-ask]') : null
    if (button !== null) void load().then((chat) => ask(chat, button.dataset))
  })
  // The panel lies beside the page, so Escape closes it from there too. The Escape of a field, and of the chat itself, is theirs.
  document.addEventListener('keydown', (event) => {
    const { target } = event
    const isTaken = target instanceof Element && target.closest('input, select, textarea, manga-assist') !== null
    if (event.key !== 'Escape' || event.defaultPrevented || isTaken) return
    const chat = document.querySelector('manga-assist')
    if (chat !== null) chat.open = false
  })
  document.addEventListener('manga-assist-language', (event) => {
    const { language } = event.detail
    const same = document.querySelector<HTMLAnchorElement>(`.head a[hreflang="${language}"]`)
    if (language !== pageLanguage() && same !== null) go(same.href)
  })
  // After the page, which comes first.
  if (document.readyState === 'complete') void load()
  else window.addEventListener('load', () => void load(), { once: true })

  return {
    follow() {
      const chat = document.querySelector('manga-assist')
      if (chat !== null) follow(chat)
    },
  }
}

async function loadChat(): Promise<MangaAssistElement> {
  // Loads both at once: after a deployment the files that a later failure needs would be gone.
  const [{ defineMangaAssist, MangaAssist }, { loadCurrentPanel }] = await Promise.all([
    import('../chat/shell/manga-assist.ts'),
    import('../chat/shell/load-panel.ts'),
  ])
  defineMangaAssist(async (server) => {
    const panel = loadPanel().catch((error: unknown) => loadCurrentPanel(server, error))
    // Cards without covers are better than no chat.
    MangaAssist.cover = await import('./cover-image.ts').then(({ coverImage }) => coverImage).catch(() => undefined)
    return panel
  })
  // The address decides the language, also of a chat that spoke another one before.
  createMemory(location.origin, location.origin).remember({ language: pageLanguage() })
  const chat = document.createElement('manga-assist')
  chat.toggleAttribute('cart', true)
  // Beside the page where there is room: it must not lie on the price or a button.
  chat.layout = 'dock'
  follow(chat)
  document.querySelector('.store')?.append(chat)
  return chat
}

function follow(chat: MangaAssistElement): void {
  chat.language = pageLanguage()
  chat.product = document.querySelector<HTMLElement>('#content')?.dataset['product'] ?? null
  // A chat that is opened for a series offers questions about it, not those of the home page.
  const buttons = document.querySelectorAll<HTMLElement>('.questions [data-question]')
  const questions = [...buttons].flatMap(({ dataset }) => dataset['question'] ?? [])
  chat.suggestions = questions.length === 0 ? null : questions.join('|')
}

function ask(chat: MangaAssistElement, { ask: how, question = '' }: DOMStringMap): void {
  if (how === 'send') chat.ask(question)
  else if (how === 'prefill') chat.prefill(question)
  else chat.open = true
}
