// What earlier answers said, so that no sentence or reason is said twice in a conversation. Sentences are compared by their
// words, and by their frame: without titles, numbers and reasons.
/** Titles have signs of their own, and brackets close a sentence. */
const SENTENCE = /(?:\[[^\]]*\]\([^)]*\)|『[^』]*』|[^。！？!?.\n]|\.(?=\S))+[。！？!?.]*[）」)”]*|[。！？!?.]+/gu
const LINK = /\[([^\]]*)\]\([^)]*\)/gu
const NAMES = /『[^』]*』|“[^”]*”|\d[\d,.]*/gu
const ANSWER_LENGTH_MAX = 900
const ANSWERS_MAX = 16

/** The texts of earlier answers, oldest first, without addresses; bounded. */
export type Said = readonly string[]

/** The words of a text as they are shown: links without their addresses. */
export const unlinked = (text: string): string => text.replaceAll(LINK, '$1')

export function withSaid(said: Said, answer: string): Said {
  return [...said, unlinked(answer.slice(0, ANSWER_LENGTH_MAX * 2)).slice(0, ANSWER_LENGTH_MAX)].slice(-ANSWERS_MAX)
}

export function isSaid(said: Said, text: string): boolean {
  const words = unlinked(text).trim()
  return said.some((answer) => answer.includes(words))
}

export const frameOf = (sentence: string): string => unlinked(sentence).replaceAll(NAMES, '#')

export function sentencesOf(text: string): readonly string[] {
  return (text.match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')
}

/** How often a sentence of this frame was said. */
export function timesFramed(said: Said, sentence: string): number {
  const frame = frameOf(sentence).trim()
  return said.reduce((sum, answer) => sum + (frameOf(answer).split(frame).length - 1), 0)
}

/** FNV-1a: small, and the same on every node. */
export function digest(text: string): number {
  let hash = 2166136261
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0
  return hash
}
