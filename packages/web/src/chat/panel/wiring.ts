// Everything behind a panel, made when it is connected and released when it is removed: access to the server, the conversation, the
// list of conversations, and how the panel lies on the page.
import { createClient } from '@mangaassist/client'
import type { Language } from '@mangaassist/protocol'
import { createMemory } from '../../memory.ts'
import type { SharedMemory } from '../../memory.ts'
import { createConversation } from '../conversation/conversation.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { createServerAccess } from '../conversation/server-access.ts'
import { sessionLoader } from '../conversation/sessions.ts'
import { createFieldTools } from '../compose/field-tools.ts'
import type { FieldTools } from '../compose/field-tools.ts'
import { createExchangeTools } from '../exchange/exchange-tools.ts'
import type { ExchangeTools, ToolsHost } from '../exchange/exchange-tools.ts'
import { createHistoryLoader } from '../history/load-history.ts'
import type { HistoryLoader } from '../history/load-history.ts'
import type { LinkPolicy } from '../markdown/links.ts'
import { createMarkdownRenderer } from '../markdown/markdown.ts'
import type { MarkdownRenderer } from '../markdown/markdown.ts'
import { pageContext } from '../page-context.ts'
import type { PanelHost, PanelSettings } from '../shell/panel-contract.ts'
import { followViewport } from '../viewport.ts'
import { createPresence } from './presence.ts'
import type { Presence } from './presence.ts'
import { pageOrigin, pagePath } from '../../page-origin.ts'

export interface Wiring {
  readonly conversation: Conversation
  readonly history: HistoryLoader
  readonly presence: Presence
  readonly tools: ExchangeTools
  readonly fieldTools: FieldTools
  readonly rendering: Readonly<Record<Language, Rendering>>
  readonly release: () => void
}

/** How links lead in a language, and what renders answers with such links. */
interface Rendering {
  readonly links: LinkPolicy
  readonly renderer: MarkdownRenderer
}

export interface WiringParts {
  readonly panel: HTMLElement & ToolsHost
  readonly settings: () => PanelSettings
  readonly host: () => PanelHost | undefined
  readonly isShown: () => boolean
  readonly changed: () => void
  readonly giveBack: (question: string) => boolean
  readonly field: () => HTMLTextAreaElement | null
  readonly grow: (field: HTMLTextAreaElement) => void
  readonly focusField: () => void
}

export function createWiring(parts: WiringParts): Wiring {
  const { panel, settings, host, changed, giveBack } = parts
  const page = pageOrigin()
  const { server, linkHosts } = settings()
  const memory = createMemory(server, page)
  const access = createServerAccess({
    server,
    page,
    memory,
    token: async () => (await host()?.token()) ?? null,
    tokenRefused: () => host()?.emit('manga-assist-error', { reason: 'token-refused' }),
  })
  const hosts = [new URL(server).host, new URL(page).host, ...linkHosts]
  const renderingIn = (language: Language): Rendering => {
    const links = { base: server, hosts, language }
    return { links, renderer: createMarkdownRenderer(links) }
  }
  const conversation = createConversation({
    connect: (events) => createClient({ url: access.socketUrl, ...events }),
    load: sessionLoader(access),
    memory,
    changed,
    where: () => ({
      interfaceLanguage: settings().language,
      page: pageContext(settings().product, pagePath()),
    }),
    giveBack,
    openChannel: () => new BroadcastChannel(`mangaassist:${server}`),
  })
  const removed = (sessionId: string | undefined): void => {
    memory.remember({ deletedAtMs: Date.now() })
    if (sessionId === undefined || sessionId === conversation.sessionId()) conversation.open(undefined)
  }
  const history = createHistoryLoader({ access, server, changed, removed, root: panel.getRootNode() })
  const presence = createPresence({
    panel,
    memory,
    changed,
    open: () => host()?.open(),
    close: () => host()?.close(),
  })
  const element = (panel.getRootNode() as ShadowRoot).host as HTMLElement
  const tools = createExchangeTools({
    host: panel,
    server,
    conversation,
    hasCart: () => element.hasAttribute('cart'),
    focusField: parts.focusField,
  })
  const fieldTools = createFieldTools({ server, field: parts.field, grow: parts.grow, changed })
  const released = [
    followViewport(element),
    followTabs(parts, memory, conversation),
    () => presence.release(),
    () => tools.close(),
    () => fieldTools.close(),
    () => conversation.close(),
  ]
  const release = (): void => released.forEach((end) => end())
  const rendering = { ja: renderingIn('ja'), en: renderingIn('en') }
  return { conversation, history, presence, tools, fieldTools, rendering, release }
}

/** Other tabs of this browser: a conversation that was opened there is shown here too, unless one is being read here. */
function followTabs({ isShown }: WiringParts, memory: SharedMemory, conversation: Conversation): () => void {
  let { deletedAtMs } = memory.recall()
  return memory.follow((now) => {
    if (now.deletedAtMs !== deletedAtMs) void conversation.recheck()
    deletedAtMs = now.deletedAtMs
    const { answering, exchanges } = conversation.state
    const isRead = isShown() && !document.hidden && exchanges.length > 0
    if (!isRead && !answering && now.sessionId !== conversation.sessionId()) conversation.open(now.sessionId)
  })
}
