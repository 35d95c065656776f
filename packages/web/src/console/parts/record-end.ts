// How a turn or a refused request ended, as every list of them says it: the end, whether the answer was degraded and why, or the limit that refused.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type { RecordView } from '@mangaassist/protocol/admin'
import type { Format } from '../data/format.ts'
import { isRefusedRecord, whyRefused } from '../data/records.ts'
import { speakFilled } from '../shell/say.ts'
import { recordEndWords } from '../words/record-end.ts'
import { badge } from './bits.ts'
import { outcomeText } from './outcome.ts'

interface Shown {
  readonly language: Language
  readonly format: Format
}

export function recordEndView(record: RecordView, { format, language }: Shown): TemplateResult {
  const say = speakFilled(recordEndWords, language)
  if (isRefusedRecord(record)) {
    const why = whyRefused(record)
    return html`<span class="badges">
      ${badge(record.code, 'bad')} ${why === undefined ? nothing : badge(why)}
      ${record.count === 1 ? nothing : badge(say('times', { n: format.count(record.count) }))}
    </span>`
  }
  const { finishReason, isCached, isDegraded, reason } = record
  return html`<span class="badges">
    ${badge(finishReason, finishReason === 'stop' ? 'good' : 'few')}
    ${isDegraded ? badge(reason === undefined ? say('degraded') : `${say('degraded')}: ${outcomeText(reason, language)}`, 'few') : nothing}
    ${isCached ? badge(say('cachedAnswer')) : nothing}
  </span>`
}
