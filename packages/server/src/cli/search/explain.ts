// `mangaassist search --explain`: what was read from the words, why each result has its place, and what excluded the next best.
import type { Language } from '@mangaassist/protocol'
import type { ScorePart } from '@mangaassist/bookseller/retrieval/rank'
import type { Searches, WordsFound } from '#wiring/profiles/look-up.ts'

const PARTS: readonly ScorePart[] = ['text', 'meaning', 'wishes', 'like', 'named']

/** What gave the meaning score, and for the vectors of words why, where an embedder is configured. */
export interface MeaningSource {
  readonly by: 'embedder' | 'words'
  readonly model?: string
  readonly reason?: string
}

export function meaningSource({ embedder }: WordsFound, embeddings: Searches['embeddings']): MeaningSource {
  if (embedder !== undefined) return { by: 'embedder', model: embedder }
  if (embeddings === undefined) return { by: 'words' }
  const { documents, embedded, failure, state } = embeddings.status()
  const missing = `${embedded} of ${documents} series and FAQ entries are embedded; a running server embeds the others`
  const reason = state === 'ready' ? (failure ?? 'the question has no words to compare') : missing
  return { by: 'words', model: embeddings.model, reason }
}

/** As JSON. */
export function explanation({ chosenBy, read, question, found, excluded }: WordsFound, meaningBy: MeaningSource) {
  const { terms, words, freedom } = question
  return {
    read: { wish: read.wish, like: read.like },
    searched: {
      terms,
      words: words.map(({ word, weight }) => ({ word, weight: rounded(weight) })),
      freedom: rounded(freedom),
    },
    meaningBy,
    ...(chosenBy === undefined ? {} : { chosenBy }),
    found: found.map(({ product, score, parts, textPlace, matched }) => ({
      id: product.id,
      title: product.title,
      score: rounded(score),
      parts: Object.fromEntries(PARTS.map((part) => [part, rounded(parts[part])])),
      ...(textPlace === undefined ? {} : { textPlace }),
      ...(matched === undefined ? {} : { matched }),
    })),
    excluded: excluded.map(({ product, score, condition }) => ({
      id: product.id,
      title: product.title,
      score: rounded(score),
      condition,
    })),
  }
}

export function explained(all: WordsFound, source: MeaningSource, language: Language): string {
  const { chosenBy, read, searched, found, excluded, meaningBy } = explanation(all, source)
  const { wish, like } = read
  const lists = [
    ['like', like],
    ['wanted', wish.want.map(({ text, genres, moods }) => [text, ...genres, ...moods].join(' '))],
    ['avoided', [...wish.avoid, ...(wish.avoidAuthors ?? []), ...(wish.avoidTexts ?? [])]],
    ['conditions', Object.entries(wish.filters).map(([name, value]) => `${name} ${String(value)}`)],
  ] as const
  const asRead = lists.flatMap(([name, values]) => (values.length === 0 ? [] : [`  ${name}: ${values.join(', ')}`]))
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
      `     ${PARTS.map((part) => `${part} ${one.parts[part]}`).join(' · ')}${one.textPlace === undefined ? '' : ` · place ${one.textPlace} by text`}`,
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

const describeChoice = (chosen: NonNullable<WordsFound['chosenBy']>): string =>
  chosen.by === 'engine' ? 'the search engine' : `the own index: ${chosen.reason}`

const rounded = (value: number): number => Math.round(value * 1000) / 1000
