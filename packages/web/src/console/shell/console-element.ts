// Base class of the console's elements. They render without a shadow root, so that one stylesheet and find-in-page work; texts are
// set as text nodes by Lit, so nothing that a shopper, a model or a vendor wrote can become markup.
import { LitElement } from 'lit'
import type { PropertyDeclarations, PropertyValues } from 'lit'
import type { Language } from '@mangaassist/protocol'
import { createFormat } from '../data/format.ts'
import type { Format } from '../data/format.ts'
import { focusHeading, focusMarked, isFocusFree, markOf } from './focus.ts'
import type { FocusMark } from './focus.ts'
import { speakFilled } from './say.ts'
import type { SayFilled } from './say.ts'
import { shellWords } from '../words/shell.ts'

const formats = { ja: createFormat('ja'), en: createFormat('en') } as const

export class ConsoleElement extends LitElement {
  static override properties: PropertyDeclarations = { language: { type: String } }
  declare language: Language

  constructor() {
    super()
    this.language = 'en'
  }

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** A control that has the focus may be replaced by an update; the browser would then give the focus to the page itself. */
  protected override update(changed: PropertyValues): void {
    const { activeElement } = document
    const isInside = this.contains(activeElement)
    const mark = isInside ? markOf(activeElement) : undefined
    super.update(changed)
    if (!isInside || !isFocusFree() || activeElement === document.activeElement) return
    // A row that was moved loses the focus, too.
    if (activeElement instanceof HTMLElement && activeElement.isConnected) activeElement.focus({ preventScroll: true })
    else this.lostFocus(mark)
  }

  protected lostFocus(mark: FocusMark | undefined): void {
    if (mark === undefined || !focusMarked(mark)) focusHeading()
  }

  protected get format(): Format {
    return formats[this.language]
  }

  protected get shellSay(): SayFilled<typeof shellWords> {
    return speakFilled(shellWords, this.language)
  }
}
