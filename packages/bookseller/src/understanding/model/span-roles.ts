// Decides which role of its kind a span has: a quality is wanted, not wanted or allowed again, a series is asked about,
// liked, read or disliked, a person or a magazine is wanted or not. The words of the whole clause tell, which the tagger
// does not see: in Japanese the verb that denies comes last.
import { ROLES } from '../reading.ts'
import type { Previous, Role, Span } from '../reading.ts'
import { hashOf } from './features.ts'
import type { Token, TokenKind } from './tokens.ts'
import type { Weights } from './weights.ts'

/** The roles among which a span's is decided. */
const KINDS: readonly (readonly Role[])[] = [
  ['want', 'avoid', 'allow'],
  ['title', 'like', 'read', 'hate'],
  ['by', 'notby'],
  ['in', 'notin'],
]
const KIND_OF: ReadonlyMap<Role, readonly Role[]> = new Map(KINDS.flatMap((kind) => kind.map((role) => [role, kind])))

export const rolesOfKind = (role: Role): readonly Role[] | undefined => KIND_OF.get(role)

export type MarkedSpan = Pick<Span, 'role' | 'from' | 'to'>

export interface SpanContext {
  readonly previous: Previous
}

/** The spans with the likeliest role of their kind; in the order of the message, each knows the role of the one before it. */
export function withRoles(
  tokens: readonly Token[],
  spans: readonly MarkedSpan[],
  { weights, ...context }: SpanContext & { readonly weights: Weights },
): readonly MarkedSpan[] {
  const words = clauseWords(tokens)
  let last: MarkedSpan | undefined
  return spans.map((span) => {
    const kind = rolesOfKind(span.role)
    if (kind === undefined) return span
    const features = spanFeatures(words, span, { ...context, ...(last === undefined ? {} : { last }) })
    const scores = new Float64Array(ROLES.length)
    for (const feature of features) weights.add(feature, scores)
    const scoreOf = (role: Role) => scores[ROLES.indexOf(role)]!
    const best = kind.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a))
    last = { ...span, role: best }
    return last
  })
}

export interface Word {
  readonly text: string
  readonly from: number
  readonly to: number
}

const NAMES: ReadonlySet<TokenKind> = new Set(['title', 'person', 'magazine'])

/** Names and numbers are known by their kind alone. */
export function clauseWords(tokens: readonly Token[]): readonly Word[] {
  const words: Word[] = []
  let open: number | undefined
  for (const { text, kind, from, to, word } of tokens) {
    const last = words.at(-1)
    const isName = NAMES.has(kind)
    if (last !== undefined && word === open && !isName)
      words[words.length - 1] = { ...last, text: last.text + text, to }
    else words.push({ text: isName ? `<${kind}>` : kind === 'number' ? '<number>' : text, from, to })
    open = isName ? undefined : word
  }
  return words
}

const END = /^[。．.!！?？…]$/u
const PAUSE = /^[、,，;；:：]$/u
const AFTER_MAX = 12
const BEFORE_MAX = 10
/** Words of the next sentence: "…school. I'm done with it." */
const NEXT_MAX = 5
const FAR = 12

export function spanFeatures(
  words: readonly Word[],
  span: MarkedSpan,
  { previous, last }: SpanContext & { readonly last?: MarkedSpan },
): Uint32Array {
  const first = words.findIndex(({ to }) => to > span.from)
  const end = words.findLastIndex(({ from }) => from < span.to)
  const features = new Set<number>()
  const add = (...parts: readonly (string | number)[]) => features.add(hashOf(`span ${parts.join(' ')}`))
  add('always')
  add('previous', previous)
  if (first === -1) return Uint32Array.from(features)
  addClause(words.slice(end + 1), { add, side: 'after', most: AFTER_MAX })
  addClause(words.slice(0, first).toReversed(), { add, side: 'before', most: BEFORE_MAX })
  const inside = words.slice(first, end + 1).map(({ text }) => text)
  add('span', inside.join(' '))
  for (const text of inside) add('in', text)
  add('edge', inside.at(-1) ?? '', words[end + 1]?.text ?? '')
  add('around', words[first - 1]?.text ?? '', words[end + 1]?.text ?? '')
  if (last !== undefined) {
    add('last', last.role)
    add('last', last.role, between(words, last, span))
  }
  return Uint32Array.from(features)
}

interface Side {
  readonly add: (...parts: readonly (string | number)[]) => void
  readonly side: 'after' | 'before'
  readonly most: number
}

/** The words on one side of the span up to the end of its sentence, nearest first. */
function addClause(words: readonly Word[], { add, side, most }: Side): void {
  let pauses = 0
  let distance = 0
  let near = ''
  for (const [index, { text }] of words.entries()) {
    if (distance === most) return
    if (END.test(text)) {
      add(side, 'end', Math.min(distance, 4), pauses > 0 ? 1 : 0)
      if (side === 'after') addNext(words.slice(index + 1), add)
      return
    }
    if (PAUSE.test(text)) {
      pauses += 1
      near = ','
      continue
    }
    const part = `${side}${pauses > 0 ? ' later' : ''}`
    add(part, text)
    add(part, near, text)
    if (distance < 3) add(side, distance, text)
    if (distance < 2) add(side, distance, near, text)
    near = text
    distance += 1
  }
}

function addNext(words: readonly Word[], add: Side['add']): void {
  for (const { text } of words.slice(0, NEXT_MAX)) {
    if (END.test(text)) return
    add('next', text)
  }
}

const JOINING = /^(?:や|とか|と|・|、|,|\/|and|or|nor|も|&|だの|か)*$/u

function between(words: readonly Word[], last: MarkedSpan, span: MarkedSpan): string {
  const texts = words.filter(({ from, to }) => from >= last.to && to <= span.from).map(({ text }) => text)
  const joined = texts.join('')
  if (JOINING.test(joined)) return 'joined'
  if (texts.some((text) => END.test(text))) return 'sentence'
  return joined.length > FAR ? 'far' : 'near'
}
