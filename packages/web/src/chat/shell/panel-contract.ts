// The contract between the element and its panel. The element is small and on every page, the panel is loaded when it
// is first needed: so this file has types and one number, and no code of the panel.
import type { Language } from '@mangaassist/protocol'
import type { EmitEvent } from './element-events.ts'
import type { CardContext } from '../exchange/product-card-view.ts'

/** Raised when an older element could not use a newer panel: after a deployment, a page may load the panel of the next build. */
export const panelContract = 1

/** A snapshot: the element hands the panel a new one with every change. */
export interface PanelSettings {
  /** The language of the interface. */
  readonly language: Language
  /** The id of the series that the page is about. */
  readonly product: string | null
  /** The server's origin. */
  readonly server: string
  /** Hosts that answers may link to, besides the server's and the page's. */
  readonly linkHosts: readonly string[]
  readonly inline: boolean
  readonly open: boolean
  /** The side of the window. */
  readonly side: 'left' | 'right'
  /** How the panel lies on the page until the reader chooses: `float`, `wide`, `dock` or `full`. Default: `float`. */
  readonly layout: string | null
  /** What the reader pressed to open the panel, when it is on the page. */
  readonly opener: HTMLElement | undefined
  /** False for a panel that the page opened while it loaded: the page's focus stays where it is. */
  readonly takesFocus: boolean
  readonly cover: CardContext['cover']
  /** The page's own greeting and suggestions for an empty conversation. */
  readonly greeting: string | undefined
  readonly suggestions: readonly string[] | undefined
}

/** What the panel may do with the element around it. */
export interface PanelHost {
  open(): void
  readonly emit: EmitEvent
  /** The signed-in user's token, null for a guest. */
  token(): Promise<string | null>
  close(): void
  /** The reader chose a language. */
  chooseLanguage(language: Language): void
  /** How many answers arrived while the panel was closed. */
  showUnread(count: number): void
}

export interface Panel extends HTMLElement {
  settings: PanelSettings
  /** Settled when the last settings are applied: only then can the page be focused again. */
  readonly updateComplete: Promise<unknown>
  /** Asks at once; while an answer is in flight, the question is put into the field instead. */
  ask(question: string): void
  /** Puts a question into the field, where the shopper can still change it. */
  prefill(question: string): void
}

export interface PanelModule {
  readonly contract: number
  createPanel(host: PanelHost, settings: PanelSettings): Panel
}

/** Loads the panel for a server's origin. */
export type LoadPanel = (server: string) => Promise<PanelModule>
