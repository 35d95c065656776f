// Base class of the console's elements. They render without a shadow root, so that one stylesheet and find-in-page work; texts are
// set as text nodes by Lit, so nothing that a shopper, a model or a vendor wrote can become markup.
import { LitElement } from 'lit'
import type { PropertyDeclarations } from 'lit'
import type { Language } from '@mangaassist/protocol'
import { createFormat } from '../data/format.ts'
import type { Format } from '../data/format.ts'
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

  protected get format(): Format {
    return formats[this.language]
  }

  protected get shellSay(): SayFilled<typeof shellWords> {
    return speakFilled(shellWords, this.language)
  }
}
