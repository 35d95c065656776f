// How every screen names a model or another dependency, and says its state: by the configured name, in plain words. A model whose vendor rejects it
// does not work, whatever its circuit says.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type { NodeView, OverviewView } from '@mangaassist/protocol/admin'
import { speakFilled } from '../shell/say.ts'
import { laneWords } from '../words/lanes.ts'
import { badge, laneName, phaseTones } from './bits.ts'

type Lane = OverviewView['lanes'][number]
type Rejected = NodeView['rejected'][number]

/** Several names of one model in one place share it. */
export function laneTitle({ lane, models }: Pick<Lane, 'lane' | 'models'>): string {
  return models.length === 0 ? laneName(lane) : models.join(', ')
}

/** With the vendor's id and the place beside the configured name. */
export function laneTitleView(lane: Pick<Lane, 'lane' | 'models'>): TemplateResult {
  return html`${laneTitle(lane)}${lane.models.length === 0 ? nothing : html` <small>${laneName(lane.lane)}</small>`}`
}

export function isWell({ phase, rejected }: Pick<Lane, 'phase' | 'rejected'>): boolean {
  return phase === 'closed' && rejected.length === 0
}

export function laneStateView(
  { held, level, models, phase, rejected }: Pick<Lane, 'held' | 'level' | 'models' | 'phase' | 'rejected'>,
  language: Language,
): TemplateResult {
  const say = speakFilled(laneWords, language)
  const showsPhase = rejected.length === 0 || phase !== 'closed'
  return html`<span class="badges">
    ${rejected.map((one) => rejectedView(one, language, models.length > 1))}
    ${showsPhase ? phaseView(phase, language) : nothing}
    ${phase === 'closed' && (level === 'slight' || level === 'high') ? badge(say(level), 'few') : nothing}
    ${held === null ? nothing : badge(actionWord(held, language), 'few')}
  </span>`
}

/** The word of the glossary is in the title, for the metrics and the API. */
export function phaseView(phase: string, language: Language): TemplateResult {
  return html`<span title=${phase}>${badge(wordOf(phase, language), phaseTones[phase] ?? 'plain')}</span>`
}

/** With the model's name where nothing beside it says that. */
export function rejectedView(
  { calls, cause, model, status }: Rejected,
  language: Language,
  isNamed: boolean,
): TemplateResult {
  const say = speakFilled(laneWords, language)
  const http = status === undefined ? '' : ` (HTTP ${status})`
  return badge(`${isNamed ? `${model}: ` : ''}${say(cause)}${http}, ${say('inRow', { n: calls })}`, 'bad')
}

export function actionWord(action: string, language: Language): string {
  return wordOf(action, language)
}

function wordOf(name: string, language: Language): string {
  return Object.hasOwn(laneWords, name) ? speakFilled(laneWords, language)(name as keyof typeof laneWords) : name
}
