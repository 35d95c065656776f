// Why a series is suggested: something specific that is known of it, and that was not said in this conversation before.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../catalogue/catalogue.ts'
import type { Field, Passage } from '../retrieval/passages.ts'
import { fold } from '../text/words.ts'
import { GENRES, labelOf, MOODS } from '../understanding/vocabulary.ts'
import type { Conditions } from './conditions.ts'
import { alikeShape, isSayable } from './reason-shape.ts'
import type { Reason, ReasonKind } from './reason-shape.ts'
import { isSaid } from './said.ts'
import type { Said } from './said.ts'

export interface ReasonContext {
  readonly conditions: Conditions
  readonly liked: readonly Product[]
  /** A series that the shop does not have, and that the suggestions are near to. */
  readonly near?: string
  readonly language: Language
  readonly said: Said
  /** By id of a series: what is known of it that answers the wish. */
  readonly matched?: Readonly<Record<string, Passage>> | undefined
}

/** The best reason that was not given yet; undefined when all were. With `isBeside` the reason must fit after a title. */
export function reasonFor(product: Product, context: ReasonContext, isBeside = false): Reason | undefined {
  return candidates(product, context).find(
    (reason) => (!isBeside || isBesideTitle(reason, context.language)) && !isGiven(reason, context.said),
  )
}

/** Its first letter may have been made small. */
const isGiven = ({ text }: Reason, said: Said): boolean => isSaid(said, text.slice(1))

/** A reason that a title can follow, or that can follow a title. */
function isBesideTitle({ kind, text }: Reason, language: Language): boolean {
  return kind === 'pitch' || (kind === 'alike' && language === 'ja' && alikeShape(text) === 'clause')
}

/** What is known of a series that speaks of the wish in the shopper's own words, where the reason for it does not. */
export function wishMet(product: Product, context: ReasonContext, given: Reason): Reason | undefined {
  const words = wishedWords(context.conditions)
  if (given.kind !== 'pitch' || speaks(given, words)) return undefined
  return candidates(product, context).find(
    (reason) => BESIDE_PITCH.has(reason.kind) && speaks(reason, words) && !isGiven(reason, context.said),
  )
}

/** What can be added to what a series is. */
const BESIDE_PITCH: ReadonlySet<ReasonKind> = new Set(['setting', 'lovedBy', 'art'])

const wishedWords = ({ want }: Conditions): readonly string[] =>
  want.map(({ text }) => fold(text)).filter((text) => text.length > 1)

const speaks = ({ text }: Reason, words: readonly string[]): boolean => words.some((word) => fold(text).includes(word))

export function candidates(product: Product, context: ReasonContext): readonly Reason[] {
  const { conditions, liked, near, language, said } = context
  const { pitch, protagonist, setting, themes, lovedBy, art } = product
  const named = near === undefined ? undefined : product.similar?.find(({ title }) => isNamed(title, near))
  const alike: readonly Reason[] = [
    ...(named === undefined ? [] : [{ kind: 'alike', text: trimmed(named.reason[language]) } as const]),
    ...liked.flatMap((other) => likeness(product, other, language)),
  ]
  const own: Reason[] = []
  const add = (kind: ReasonKind, text: string | undefined) => {
    if (text !== undefined && text !== '') own.push({ kind, text: trimmed(text) })
  }
  const words = wishedWords(conditions)
  add('protagonist', protagonist?.[language])
  add('themes', themesFor(themes?.[language] ?? [], words, language))
  add('setting', setting?.[language])
  add('lovedBy', language === 'ja' ? lovedBy?.ja : readersIn(lovedBy?.en))
  const speaksOf = (reason: Reason) => speaks(reason, words)
  const rest = own
    .filter((reason) => !speaksOf(reason) && (pitch === undefined || AFTER_PITCH.has(reason.kind)))
    .toSorted((a, b) => timesSaid(a, said, language) - timesSaid(b, said, language))
  const drawn: readonly Reason[] = art === undefined ? [] : [{ kind: 'art', text: trimmed(art[language]) }]
  const pitched: readonly Reason[] = pitch === undefined ? [] : [{ kind: 'pitch', text: trimmed(pitch[language]) }]
  const all: readonly Reason[] = [
    ...alike,
    ...pitched,
    ...answerOf(product, context),
    ...[...own, ...drawn].filter(speaksOf),
    ...rest,
    ...(pitch === undefined ? labels(product, conditions, language) : []),
  ]
  return all.filter((reason) => isSayable(reason, language))
}

/** "Readers who …", of "For readers who …; the root of it all". */
const readersIn = (text: string | undefined): string | undefined =>
  text?.replace(/^for /iu, '').replace(/[;:.].*$/u, '')

/** Reasons that add something after the pitch of the series. */
const AFTER_PITCH: ReadonlySet<ReasonKind> = new Set(['setting', 'lovedBy'])

/** The theme that the wish names, or the first two. A theme with "and" inside stands alone. */
function themesFor(themes: readonly string[], words: readonly string[], language: Language): string {
  const wished = themes.find((theme) => words.some((word) => fold(theme).includes(word)))
  if (wished !== undefined) return wished
  const simple = themes.filter((theme) => !/ and |[とや、,]/u.test(theme))
  return simple.length < 2 ? (themes[0] ?? '') : listed(simple.slice(0, 2), language)
}

const KINDS: Readonly<Partial<Record<Field, ReasonKind>>> = {
  theme: 'themes',
  setting: 'setting',
  protagonist: 'protagonist',
  synopsis: 'story',
  lovedBy: 'lovedBy',
  art: 'art',
}

/** What the search found to answer the words of the wish. */
function answerOf({ id, pitch }: Product, { matched, language }: ReasonContext): readonly Reason[] {
  const passage = matched !== undefined && Object.hasOwn(matched, id) ? matched[id] : undefined
  const kind = passage === undefined ? undefined : KINDS[passage.field]
  if (passage === undefined || kind === undefined || passage.language !== language) return []
  if (pitch !== undefined && kind !== 'themes' && !BESIDE_PITCH.has(kind)) return []
  const text = kind === 'lovedBy' && language === 'en' ? readersIn(passage.text) : passage.text
  return [{ kind, text: trimmed(text ?? '') }]
}

/** How a reason of each kind begins or ends as a sentence. */
const FRAMES: Readonly<Record<Language, Readonly<Partial<Record<ReasonKind, string>>>>> = {
  ja: { protagonist: 'が主人公', setting: '舞台は', themes: 'を描いた作品', lovedBy: 'におすすめです' },
  en: { protagonist: 'It follows', setting: 'It’s set', themes: 'It’s about', lovedBy: 'I’d recommend it to' },
}
const SAID_OFTEN = 2

/** 1 when sentences of this kind were said often in the conversation. */
function timesSaid({ kind }: Reason, said: Said, language: Language): number {
  const frame = FRAMES[language][kind]
  return frame !== undefined && said.filter((answer) => answer.includes(frame)).length >= SAID_OFTEN ? 1 : 0
}

/** Whether a title is the name that a shopper wrote, without regard to case, width and spaces. */
export function isNamed(title: Readonly<Record<Language, string>>, name: string): boolean {
  const key = titleKey(name)
  return key.length > 1 && (titleKey(title.ja) === key || titleKey(title.en) === key)
}

export const titleKey = (name: string): string => fold(name).replaceAll(/[\p{P}\p{S}\p{Z}]/gu, '')

/** What two series share, by what is known of either. */
function likeness(product: Product, other: Product, language: Language): readonly Reason[] {
  const pair = other.similar?.find(({ id }) => id === product.id) ?? product.similar?.find(({ id }) => id === other.id)
  return pair === undefined ? [] : [{ kind: 'alike', text: trimmed(pair.reason[language]) }]
}

function labels({ genres, moods }: Product, { want }: Conditions, language: Language): readonly Reason[] {
  const wanted = new Set(want.flatMap((aspect) => [...aspect.genres, ...aspect.moods]))
  const first = (keys: readonly string[]) => keys.find((key) => wanted.has(key)) ?? keys[0]
  const [genre, mood] = [first(genres), first(moods)]
  const named = [
    ...(mood === undefined ? [] : [labelOf(MOODS, mood, language)]),
    ...(genre === undefined ? [] : [labelOf(GENRES, genre, language)]),
  ]
  return named.length === 0 ? [] : [{ kind: 'labels', text: named.join(language === 'ja' ? '' : ' ') }]
}

const listed = (texts: readonly string[], language: Language): string => texts.join(language === 'ja' ? 'と' : ' and ')

const trimmed = (text: string): string => text.trim().replace(/[。.]$/u, '')
