// `mangaassist search --explain`: what was read from the words, why each result has its place, and what excluded the next best.
import type { Language } from '@mangaassist/protocol'
import type { SearchExplanationView } from '@mangaassist/protocol/admin'
import { SCORE_PARTS } from '#domain/search/explanation.ts'
import type { MeaningSource, SearchExplanation } from '#domain/search/explanation.ts'

/** Over the local catalogue, or as a server explains it. */
type Explained = SearchExplanation | SearchExplanationView

export function explained(all: Explained, language: Language): string {
  const { chosenBy, read, searched, found, excluded, meaningBy } = all
  const asRead = Object.entries(read).flatMap(([name, values]: readonly [string, readonly string[]]) =>
    values.length === 0 ? [] : [`  ${name}: ${values.join(', ')}`],
  )
  return [
    'Read from the words',
    ...(asRead.length === 0 ? ['  no wishes and no conditions'] : asRead),
    `  terms of the full text: ${searched.terms.join(', ') || 'none'}`,
    `  words with a meaning: ${searched.words.map(({ word, weight }) => `${word} ${weight}`).join(', ') || 'none'}`,
    `  share beyond the wishes: ${searched.freedom}`,
    `  meaning score by ${describeSource(meaningBy)}`,
    ...(chosenBy === undefined ? [] : [`  products chosen by ${describeChoice(chosenBy)}`]),
    '',
    'Found',
    ...found.flatMap((one, place) => [
      `${String(place + 1).padStart(3)}. ${one.title[language]}  ${one.id}  ${one.score}`,
      `     ${SCORE_PARTS.map((part) => `${part} ${one.parts[part]}`).join(' · ')}${one.textPlace === undefined ? '' : ` · place ${one.textPlace} by text`}`,
      ...(one.matched === undefined ? [] : [`     ${one.matched.field}: ${one.matched.text}`]),
    ]),
    ...(found.length === 0 ? ['  nothing'] : []),
    ...(excluded.length === 0 ? [] : ['', 'Excluded']),
    ...excluded.map((one) => `     ${one.title[language]}  ${one.id}  ${one.score}  by ${one.condition}`),
    '',
  ].join('\n')
}

function describeSource({ by, model, reason }: MeaningSource): string {
  if (by === 'embedder') return `the embedder ${model}`
  return model === undefined ? 'vectors of words' : `vectors of words, not the embedder ${model}: ${reason}`
}

const describeChoice = (chosen: NonNullable<Explained['chosenBy']>): string =>
  chosen.by === 'engine' ? 'the search engine' : `the own index: ${chosen.reason}`
