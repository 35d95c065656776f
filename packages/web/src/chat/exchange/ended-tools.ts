// What a reader does with an answer that has ended: copy, read aloud, compare, add to the cart. Holds only the state of the page:
// none of it is sent or survives a reload.
import type { Language } from '@mangaassist/protocol'
import { createPersonDesk } from '../conversation/person-desk.ts'
import type { PersonDesk } from '../conversation/person-desk.ts'
import type { Exchange, Product } from '../conversation/exchange.ts'
import { languageOf } from '../../language.ts'
import { plainText } from '../markdown/markdown-source.ts'
import { createCart } from './cart.ts'
import type { Cart } from './cart.ts'
import { comparedMin, toggled } from './compare.ts'
import type { ToolsParts } from './exchange-tools.ts'
import { createReadAloud } from './read-aloud.ts'
import type { ReadAloud } from './read-aloud.ts'

interface Comparison {
  readonly chosen: readonly Product[]
  /** The exchange below whose cards the table is shown. */
  readonly shownIn: number | undefined
  toggle(exchangeId: number, product: Product): void
  show(exchangeId: number): void
  close(): void
}

export interface EndedTools {
  readonly cart: Cart | undefined
  readonly comparison: Comparison
  readonly aloud: ReadAloud
  readonly copied: { readonly id: number; readonly ok: boolean } | undefined
  copy(id: number, text: string): void
  read(exchange: Exchange): void
  /** Asks about the compared series. */
  askAbout(question: string): void
  readonly person: PersonDesk
  openPerson(language: Language): void
  closePerson(): void
  close(): void
}

export function createEndedTools({ host, conversation, hasCart, focusField }: ToolsParts): EndedTools {
  const changed = (): void => host.requestUpdate()
  let copied: EndedTools['copied']
  const cart = createCart({ changed, dispatch: (event) => host.dispatchEvent(event) })
  const aloud = createReadAloud(changed)
  const comparison = createComparison({ changed, shown: () => afterUpdate('.compare', beginAt) })
  const person = createPersonDesk({ calls: conversation.desk, sessionId: conversation.sessionId, changed })

  function afterUpdate(selector: string, act: (element: HTMLElement) => void): void {
    changed()
    void host.updateComplete.then(() => {
      const element = host.renderRoot.querySelector<HTMLElement>(selector)
      if (element !== null) act(element)
    })
  }

  function showCopied(id: number, ok: boolean): void {
    copied = { id, ok }
    changed()
  }

  return {
    get cart() {
      return hasCart() ? cart : undefined
    },
    comparison,
    aloud,
    get copied() {
      return copied
    },
    copy: (id, text) => void copyText(text, host.renderRoot).then((ok) => showCopied(id, ok)),
    read({ id, text }) {
      if (aloud.readingId === id) return aloud.stop()
      aloud.start(id, plainText(text), languageOf(text))
    },
    askAbout(question) {
      if (!conversation.ask(question)) return
      comparison.close()
      focusField()
    },
    person,
    openPerson(language) {
      const opened = person.open(language)
      afterUpdate('.person-title', (title) => title.focus())
      void opened.then(() => afterUpdate('.person', (section) => section.scrollIntoView({ block: 'start' })))
    },
    closePerson() {
      person.close()
      focusField()
    },
    close() {
      cart.close()
      aloud.close()
    },
  }
}

interface ComparisonParts {
  readonly changed: () => void
  /** The table has been opened. */
  readonly shown: () => void
}

function createComparison({ changed, shown }: ComparisonParts): Comparison {
  let chosen: readonly Product[] = []
  let shownIn: number | undefined
  return {
    get chosen() {
      return chosen
    },
    get shownIn() {
      return shownIn
    },
    toggle(exchangeId, product) {
      chosen = toggled(chosen, product)
      if (chosen.length < comparedMin) shownIn = undefined
      else if (shownIn !== undefined) shownIn = exchangeId
      changed()
    },
    show(exchangeId) {
      shownIn = exchangeId
      shown()
    },
    close() {
      chosen = []
      shownIn = undefined
      changed()
    },
  }
}

const aboveTablePx = 12

/**
 * Puts the beginning of the table, which has the titles, at the top of the log. The log, which may follow its end, observes sizes as well, and
 * earlier: its observer is called first, and this position is the last.
 */
function beginAt(table: HTMLElement): void {
  // The pressed button is gone: without this the keyboard would start again at the top of the page.
  table.querySelector<HTMLElement>('.compare-scroll')?.focus({ preventScroll: true })
  const sizes = new ResizeObserver(() => {
    sizes.disconnect()
    const log = table.closest('[role=log]')
    const above = table.getBoundingClientRect().top - (log?.getBoundingClientRect().top ?? 0)
    log?.scrollBy({ top: above - aboveTablePx, behavior: 'instant' })
  })
  sizes.observe(table)
}

/** Pages over plain http have no clipboard: there a hidden field is copied. */
async function copyText(text: string, root: ParentNode): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'unseen'
    const focused = (root as Partial<DocumentOrShadowRoot>).activeElement ?? document.activeElement
    root.append(field)
    field.select()
    // oxlint-disable-next-line no-deprecated -- the only way without a secure context
    const ok = document.execCommand('copy')
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    return ok
  }
}
