// Suggestions in English: the first series with its reason as a sentence, the others by their titles in one more.
import type { Occasion } from '../../dialogue/intent.ts'
import type { Conditions } from '../../dialogue/conditions.ts'
import type { LineOf, Noted, Part, Pick, Wording } from '../lines.ts'
import { english } from './words.ts'

const { drawback, givenUp, joined, limitTexts, MEASURES, pick, reason, title, titles } = english

type Picks = LineOf<'picks'>

/** Every opening ends where the first title begins, and continues with what follows it. */
type Frame = readonly [before: string, after: string]

const WISHED: readonly Frame[] = [
  ['I’d start with ', '.'],
  ['How about ', '?'],
  ['My first thought is ', '.'],
  ['I’d go for ', '.'],
]
const OTHERS: readonly Frame[] = [
  ['There’s also ', '.'],
  ['For a change of pace, try ', '.'],
  ['One I haven’t mentioned yet is ', '.'],
]
const AMONG: readonly Frame[] = [
  ['Of those, I’d say ', '.'],
  ['From that list, the one that fits is ', '.'],
]
const OUTSIDE: readonly Frame[] = [
  ['None of those fits, but from the rest of the shop I’d pick ', '.'],
  ['Not among those, I’m afraid. Elsewhere on our shelves there’s ', '.'],
]
const NEAREST: readonly Frame[] = [
  ['The nearest I can offer is ', '.'],
  ['The closest I have is ', '.'],
]
const SURPRISE: readonly Frame[] = [
  ['Let me surprise you with ', '.'],
  ['My wild card would be ', '.'],
]
const DECLINED: readonly Frame[] = [
  ['Let’s try something else, then. How about ', '?'],
  ['Fair enough. Perhaps ', ' is more like it.'],
]
const UNSURE: readonly Frame[] = [
  ['I’m not sure this is quite what you mean, but perhaps ', '.'],
  ['This may not be spot on, but you could try ', '.'],
]
const FOR_CHILD = (age: number): readonly Frame[] => [
  [`For a ${age}-year-old, I’d pick `, '.'],
  [`At that age, I think `, ' would go down well.'],
]

function framesFor({ occasion, liked, measure, conditions, isUnsure }: Picks): readonly Frame[] {
  if (isUnsure) return UNSURE
  const named = titles(liked.slice(0, 2))
  const { age } = conditions.limits
  const byOccasion: Readonly<Record<Occasion, () => readonly Frame[]>> = {
    like: () =>
      named === ''
        ? WISHED
        : measure !== undefined
          ? [[`For something like ${named} but ${MEASURES[measure]}, try `, '.']]
          : [
              [`If you liked ${named}, try `, '.'],
              [`After ${named}, I’d reach for `, '.'],
              [`Closest in spirit to ${named} is `, '.'],
            ],
    wish: () => (age === undefined || age >= 18 ? WISHED : [...FOR_CHILD(age), ...WISHED]),
    noted: () => WISHED,
    others: () => OTHERS,
    compared: () =>
      measure === undefined
        ? OTHERS
        : [
            [`For something ${MEASURES[measure]}, there’s `, '.'],
            [`If you’d like something ${MEASURES[measure]}, try `, '.'],
          ],
    among: () => AMONG,
    outside: () => OUTSIDE,
    nearest: () => NEAREST,
    surprise: () => SURPRISE,
    declined: () => DECLINED,
  }
  return byOccasion[occasion]()
}

/** The others are named together: their reasons stand on their cards. */
const RESTS = ['Also worth a look: ', 'You could also try ', 'You might also like '] as const

function restOf(others: readonly Pick[], lead: string): string {
  const plain = others.filter((one) => drawback(one) === '').map(pick)
  const named = plain.length === 0 ? '' : ` ${lead}${joined(plain)}.`
  const flawed = others.filter((one) => drawback(one) !== '')
  return named + flawed.map((one) => ` There’s ${pick(one)} too; it’s ${drawback(one)}.`).join('')
}

function drawbackOf(one: Pick): string {
  const but = drawback(one)
  return but === '' ? '' : ` It’s ${but}, though.`
}

/** `restFrom`: with which of the continuations the first frame goes. */
function body(picks: readonly Pick[], frames: readonly Frame[], restFrom = 0): readonly string[] {
  const [first, ...others] = picks
  if (first === undefined) return []
  return frames.map(([before, after], index) => {
    const rest = restOf(others, RESTS[(index + restFrom) % RESTS.length] ?? RESTS[0])
    return `${before}${pick(first)}${after}${reason(first.reason)}${reason(first.met)}${drawbackOf(first)}${rest}`
  })
}

/** What the message added, said back in a few words. */
export function notedInEnglish({ avoid, limits }: Noted): string {
  const limited = limitTexts(limits)
  if (avoid.length > 0)
    return `Got it, I’ll leave out anything ${joined(
      avoid.map((text) => `“${text}”`),
      'or',
    )}. `
  if (limited.length > 0) return `Got it: ${joined(limited)}. `
  return limits.age === undefined ? '' : `For a ${limits.age}-year-old, got it. `
}

const named = (names: LineOf<'relaxed'>['names'], conditions: Conditions) =>
  names.flatMap((name) => givenUp(name, conditions))

export const EN_PICKS: Part<
  Wording,
  | 'picks'
  | 'identified'
  | 'relaxed'
  | 'nothing'
  | 'no-match'
  | 'works'
  | 'no-works'
  | 'unknown-person'
  | 'unstocked'
  | 'explain'
> = {
  picks: (line) => {
    const lead = line.occasion === 'noted' ? notedInEnglish(line.noted) : ''
    return body(line.picks, framesFor(line), line.occasion === 'others' ? 1 : 0).map((text) => `${lead}${text}`)
  },
  identified: ({ picks, isUnsure }) =>
    isUnsure
      ? body(picks, [
          ['Could it be ', '?'],
          ['I’m guessing, but perhaps ', '.'],
        ])
      : body(picks, [
          ['That sounds like ', '.'],
          ['I think you mean ', '.'],
        ]),
  relaxed: ({ names, conditions }) => {
    const texts = named(names, conditions)
    const what = texts.length === 0 ? 'one of your wishes' : joined(texts)
    return [
      `I’m sorry, I couldn’t match everything, so I had to give up on ${what}.`,
      `Nothing we have fits all of that, so I’ve let go of ${what}.`,
    ]
  },
  nothing: ({ conditions, hasShown }) => {
    const texts = named(['totalYen', 'volumes', 'status', 'year', 'publishedIn', 'want'], conditions).slice(0, 3)
    const what = texts.length === 0 ? 'that' : joined(texts)
    return hasShown
      ? [
          `I’m sorry, I’ve shown you everything we have for ${what}. What could we be more flexible on?`,
          `That’s all we have for ${what}, I’m afraid. Shall we loosen something?`,
        ]
      : [
          `I’m sorry, we have nothing that fits ${what}. Could you name a series you like?`,
          `I can’t find anything that fits ${what}, sorry. What could we be more flexible on?`,
        ]
  },
  'no-match': () => [
    'I can’t place that one yet. Do you remember a character’s name, or when you read it?',
    'Nothing comes to mind so far. Do you remember anything else, like the hero, the art or a scene?',
  ],
  works: ({ people, picks, part, of }) => {
    const made = part === 'artist' ? 'was drawn by' : part === 'writer' ? 'was written by' : 'is by'
    return of === undefined
      ? body(picks, [
          [`By ${people}, we have `, '.'],
          [`From ${people}, there’s `, '.'],
        ])
      : body(picks, [
          [`${title(of)} ${made} ${people}, and we also have `, '.'],
          [`By ${people}, who made ${title(of)}, there’s `, '.'],
        ])
  },
  'no-works': ({ people, elsewhere }) =>
    elsewhere.length === 0
      ? [`That is the only series by ${people} that we carry.`, `I’m sorry, we have nothing else by ${people}.`]
      : [
          `${people} also made ${joined(elsewhere.map((name) => `“${name}”`))}, but we don’t carry ${elsewhere.length === 1 ? 'it' : 'them'}.`,
          `We have nothing else by ${people}. You may find ${joined(elsewhere.map((name) => `“${name}”`))} elsewhere.`,
        ],
  'unknown-person': ({ people }) => [
    `I’m sorry, we don’t have anything by ${people}. What do you like about their books?`,
    `We don’t carry ${people}, I’m afraid. Which of their books did you enjoy?`,
  ],
  unstocked: ({ name, picks }) =>
    picks.length === 0
      ? [
          `I’m sorry, we don’t carry “${name}”. What do you like about it, so I can find something close?`,
          `“${name}” isn’t on our shelves. What do you enjoy about it, so I can look for something similar?`,
        ]
      : body(picks, [
          [`I’m sorry, we don’t carry “${name}”. The nearest we have is `, '.'],
          [`“${name}” isn’t on our shelves, but `, ' is close to it.'],
        ]),
  explain: ({ pick: one, isAlone }) => {
    const { kind, text } = one.reason ?? {}
    if (kind === undefined || text === undefined)
      return [
        `I picked ${pick(one)} because it seemed the closest to what you asked for.`,
        `${pick(one)} came closest to what you described.`,
      ]
    if (!isAlone && kind === 'pitch') return [`${pick(one)} is ${text}.`]
    return kind === 'pitch'
      ? [`I picked ${pick(one)} because it’s ${text}.`, `I thought of ${pick(one)} because it’s ${text}.`]
      : [
          `${pick(one)} seemed a good match to me.${reason(one.reason)}`,
          `I thought ${pick(one)} would suit you.${reason(one.reason)}`,
        ]
  },
}
