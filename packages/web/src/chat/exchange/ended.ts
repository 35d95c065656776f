// Renders what follows the text of an ended answer: its typed parts, the kind of answer, its sources, and the row of
// actions. A module of its own with its own styles, loaded after the panel, because only an ended answer needs it.
import { html } from 'lit'
import type { nothing, TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import { chatWords, speak } from '../../i18n.ts'
import type { Say } from '../../i18n.ts'
import type { Exchange } from '../conversation/exchange.ts'
import { actionStyles } from './action-styles.ts'
import { actionsView } from './actions-view.ts'
import { cardStyles } from './card-styles.ts'
import { editView } from './edit-view.ts'
import { endedWords } from './ended-words.ts'
import { createEndedTools } from './ended-tools.ts'
import type { EndedTools } from './ended-tools.ts'
import type { ToolsParts } from './exchange-tools.ts'
import type { ExchangeContext } from './exchange-view.ts'
import { partKinds } from './part-kinds.ts'
import { personStyles } from './person-styles.ts'
import { personView } from './person-view.ts'
import { originView, sourcesView } from './sources-view.ts'

/** The texts of the chat and of what is loaded here. */
const words = { ...chatWords, ...endedWords }
export type EndedWord = keyof typeof words

export interface EndedContext extends ExchangeContext {
  readonly say: Say<typeof words>
  readonly endedTools: EndedTools
}

export interface Ended {
  view(exchange: Exchange, context: ExchangeContext): TemplateResult
  /** In place of a question that is being edited. */
  editView(draft: string, context: ExchangeContext): TemplateResult
  /** The part at the end of the log. */
  atEnd(context: ExchangeContext): TemplateResult | typeof nothing
  openPerson(language: Language): void
  close(): void
}

export function createEnded(parts: ToolsParts): Ended {
  const endedTools = createEndedTools(parts)
  const extended = (context: ExchangeContext): EndedContext => ({
    ...context,
    endedTools,
    say: speak(words, context.language),
  })
  adopt(parts.host.renderRoot.getRootNode())
  return {
    view: (exchange, context) => endedView(exchange, extended(context)),
    editView: (draft, context) => editView(draft, extended(context)),
    atEnd: (context) => personView(extended(context)),
    openPerson: (language) => endedTools.openPerson(language),
    close: () => endedTools.close(),
  }
}

function adopt(root: Node): void {
  if (!(root instanceof ShadowRoot)) return
  const sheets = [actionStyles, cardStyles, personStyles].flatMap(({ styleSheet }) => styleSheet ?? [])
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets]
}

function endedView(exchange: Exchange, context: EndedContext): TemplateResult {
  return html`${partKinds.map(({ view }) => view(exchange, context))} ${originView(exchange, context)}
  ${sourcesView(exchange, context)} ${actionsView(exchange, context)}`
}
