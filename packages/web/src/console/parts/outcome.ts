// A name of the records in words: how a call ended, or why. The name itself is in the title, for the filters and the API; one without words is shown
// as it is.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import { speakFilled } from '../shell/say.ts'
import { outcomeWords } from '../words/outcomes.ts'
import { badge } from './bits.ts'
import type { Tone } from './bits.ts'

/** One name, or several with spaces between them. */
export function outcomeText(names: string, language: Language): string {
  const say = speakFilled(outcomeWords, language)
  const words = names
    .split(' ')
    .map((name) => (Object.hasOwn(outcomeWords, name) ? say(name as keyof typeof outcomeWords) : name))
  return words.join(language === 'ja' ? '、' : ', ')
}

export function outcomeBadge(names: string, language: Language, tone: Tone): TemplateResult {
  return html`<span title=${names}>${badge(outcomeText(names, language), tone)}</span>`
}
