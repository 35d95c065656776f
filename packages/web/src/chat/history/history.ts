// The list of conversations with its view and its styles: a module of its own, loaded when the list is first opened.
import type { TemplateResult } from 'lit'
import type { ServerAccess } from '../conversation/server-access.ts'
import { createHistoryList } from './history-list.ts'
import type { HistoryListParts } from './history-list.ts'
import { historyStyles } from './history-styles.ts'
import { historyView } from './history-view.ts'
import type { HistoryContext } from './history-view.ts'
import { createOwnConversations } from './own-conversations.ts'

export interface History {
  open(): void
  close(): void
  view(context: Omit<HistoryContext, 'list' | 'say'>): TemplateResult
}

export interface HistoryParts extends Omit<HistoryListParts, 'own'> {
  readonly access: Pick<ServerAccess, 'fetch'>
  /** The root that gets the styles. */
  readonly root: Node
}

export function createHistory({ access, root, ...parts }: HistoryParts): History {
  const list = createHistoryList({ ...parts, own: createOwnConversations(access) })
  const { styleSheet } = historyStyles
  if (root instanceof ShadowRoot && styleSheet !== undefined)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet]
  return {
    open: () => list.open(),
    close: () => list.close(),
    view: (context) => historyView({ ...context, list }),
  }
}
