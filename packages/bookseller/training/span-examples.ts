// The labelled spans as examples for the roles of spans.
import type { Labelled } from '../src/evaluation/labelled.ts'
import { rolesOfKind, spanFeatures, clauseWords } from '../src/understanding/model/span-roles.ts'
import type { MarkedSpan } from '../src/understanding/model/span-roles.ts'
import type { Token } from '../src/understanding/model/tokens.ts'
import type { SpanExample } from './span-roles.ts'

interface Line {
  readonly one: Labelled
  readonly tokens: readonly Token[]
}

export function spanExamples(lines: readonly Line[]): readonly SpanExample[] {
  return lines.flatMap(({ one, tokens }) => {
    const words = clauseWords(tokens)
    let last: MarkedSpan | undefined
    return one.spans
      .toSorted((a, b) => a.from - b.from)
      .filter(({ role }) => rolesOfKind(role) !== undefined)
      .map((span) => {
        const context = { previous: one.previous, ...(last === undefined ? {} : { last }) }
        last = span
        return { features: spanFeatures(words, span, context), role: span.role }
      })
  })
}
