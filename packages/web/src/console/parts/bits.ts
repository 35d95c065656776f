// Small pieces that several screens show: a state as a word with a colour, a list of facts, a section, a bar of a budget.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Cell } from './table.ts'

export type Tone = 'good' | 'few' | 'bad' | 'plain'

/** How urgent an alarm is. */
export const severityTones = { page: 'bad', warn: 'few', info: 'plain' } as const satisfies Record<string, Tone>

/** The phase of a lane's circuit. */
export const phaseTones: Readonly<Record<string, Tone>> = {
  closed: 'good',
  open: 'bad',
  'half-open': 'few',
  recovering: 'few',
}

/** The colour repeats the word; no state is shown by its colour alone. */
export function badge(text: string, tone: Tone = 'plain'): TemplateResult {
  return html`<span class="badge ${tone}">${text}</span>`
}

export type Fact = readonly [name: string, value: Cell]

/** Facts with long values, such as ids, need wide cards. */
export function factsView(facts: readonly (Fact | undefined)[], width: 'narrow' | 'wide' = 'narrow'): TemplateResult {
  return html`<dl class=${width === 'wide' ? 'facts wide' : 'facts'}>
    ${facts.map((fact) =>
      fact === undefined
        ? nothing
        : html`<div>
            <dt>${fact[0]}</dt>
            <dd>${fact[1]}</dd>
          </div>`,
    )}
  </dl>`
}

export function sectionView(title: string, content: unknown, tools: unknown = nothing): TemplateResult {
  return html`<section class="section">
    <div class="section-head">
      <h2>${title}</h2>
      ${tools}
    </div>
    ${content}
  </section>`
}

export interface Budget {
  readonly name: string
  readonly used: number
  readonly reserved: number
  readonly limit: number
  readonly write: (n: number) => string
}

export function budgetView({ limit, name, reserved, used, write }: Budget): TemplateResult {
  const share = limit === 0 ? 1 : Math.min((used + reserved) / limit, 1)
  const held = reserved === 0 ? '' : ` + ${write(reserved)}`
  return html`<div class="budget">
    <span>${name}</span>
    <meter min="0" max="1" low="0.8" high="0.9" optimum="0" .value=${share} aria-label=${name}></meter>
    <span class="figure">${write(used)}${held} / ${write(limit)}</span>
  </div>`
}

/** A value of any shape, such as the state before and after a change, as text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A lane's name without the escapes that keep its parts apart. */
export function laneName(lane: string): string {
  try {
    return decodeURIComponent(lane)
  } catch {
    return lane
  }
}
