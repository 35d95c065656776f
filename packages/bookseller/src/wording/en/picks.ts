// Suggestions in English: the first series with its reason as a sentence, the others in one more.
import type { Occasion } from '../../dialogue/intent.ts'
import type { Conditions } from '../../dialogue/conditions.ts'
import type { LineOf, Noted, Part, Pick, Wording } from '../lines.ts'
import { english } from './words.ts'

const { conditionTexts, joined, limitTexts, MEASURES, pick, reason, shortPick, title, titles } = english

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
  ['There is also ', '.'],
  ['For a change of pace, try ', '.'],
  ['One I haven’t mentioned yet is ', '.'],
]
const AMONG: readonly Frame[] = [
  ['Of those, it would be ', '.'],
  ['From that list, the one that fits is ', '.'],
]
const NEAREST: readonly Frame[] = [
  ['The nearest is ', '.'],
  ['The closest I have is ', '.'],
]
const SURPRISE: readonly Frame[] = [
  ['Let me surprise you with ', '.'],
  ['My wild card: ', '.'],
]
const DECLINED: readonly Frame[] = [
  ['Then let’s go another way: ', '.'],
  ['Fair enough. Perhaps ', ' is more like it.'],
]
const UNSURE: readonly Frame[] = [
  ['I’m not sure it is quite what you mean, but perhaps ', '.'],
  ['Perhaps ', ' comes close.'],
]
const FOR_CHILD = (age: number): readonly Frame[] => [
  [`For a reader of ${age}, I’d pick `, '.'],
  [`At ${age}, `, ' should go down well.'],
]

function framesFor({ occasion, liked, measure, conditions, isUnsure }: Picks): readonly Frame[] {
  if (isUnsure) return UNSURE
  const named = titles(liked.slice(0, 2))
  const { age } = conditions.limits
  const byOccasion: Readonly<Record<Occasion, () => readonly Frame[]>> = {
    like: () =>
      named === ''
        ? WISHED
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
            [`For something ${MEASURES[measure]}, there is `, '.'],
            [`${capital(MEASURES[measure])} than those: `, '.'],
          ],
    among: () => AMONG,
    nearest: () => NEAREST,
    surprise: () => SURPRISE,
    declined: () => DECLINED,
  }
  return byOccasion[occasion]()
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const RESTS: readonly ((names: string) => string)[] = [
  (names) => ` Also worth a look: ${names}.`,
  (names) => ` You could also try ${names}.`,
  (names) => ` You might also like ${names}.`,
]

/** Parts that have commas of their own. */
function enumerated(parts: readonly string[]): string {
  if (!parts.some((part) => part.includes(', '))) return joined(parts)
  return parts.length < 3 ? parts.join(', and ') : `${parts.slice(0, -1).join('; ')}; and ${parts.at(-1) ?? ''}`
}

/** `restFrom`: with which of the continuations the first frame goes. */
function body(picks: readonly Pick[], frames: readonly Frame[], restFrom = 0): readonly string[] {
  const [first, ...others] = picks
  if (first === undefined) return []
  const names = enumerated(others.map(shortPick))
  return frames.map(([before, after], index) => {
    const rest = others.length === 0 ? '' : (RESTS[(index + restFrom) % RESTS.length]?.(names) ?? '')
    return `${before}${pick(first)}${after}${reason(first.reason)}${reason(first.met)}${rest}`
  })
}

/** What the message added, said back in a few words. */
export function notedInEnglish({ avoid, limits }: Noted): string {
  const limited = limitTexts(limits)
  if (avoid.length > 0)
    return `Noted: nothing with ${joined(
      avoid.map((text) => `“${text}”`),
      'or',
    )}. `
  if (limited.length > 0) return `${capital(limited.join(', '))}, got it. `
  return limits.age === undefined ? '' : `For age ${limits.age}, got it. `
}

const named = (names: LineOf<'relaxed'>['names'], conditions: Conditions) =>
  names.flatMap((name) => conditionTexts(name, conditions))

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
    const what = texts.length === 0 ? 'all of that' : joined(texts)
    return [`Nothing on our shelves meets ${what} as well.`, `I found nothing that is also ${what}.`]
  },
  nothing: ({ conditions, hasShown }) => {
    const texts = named(['totalYen', 'volumes', 'status', 'year', 'publishedIn', 'want'], conditions).slice(0, 3)
    const what = texts.length === 0 ? 'that' : joined(texts)
    return hasShown
      ? [
          `I’m sorry, I have shown you everything that fits ${what}. Which condition may I loosen?`,
          `There is nothing more for ${what}. Shall we change one of the conditions?`,
        ]
      : [
          `I’m sorry, nothing on our shelves fits ${what}. Could you name one series you like?`,
          `Nothing here fits ${what}. Is there a condition I may loosen?`,
        ]
  },
  'no-match': () => [
    'I can’t place that one from our shelves yet. Do you remember a name, or when you read it?',
    'Nothing comes to mind so far. What else do you recall: the hero, the art, an odd scene?',
  ],
  works: ({ people, picks, part, of }) => {
    const as = part === 'artist' ? ', who drew ' : part === 'writer' ? ', who wrote ' : ', who made '
    const source = of === undefined ? '' : `${as}${title(of)}`
    return body(picks, [
      [`By ${people}${source === '' ? '' : `${source},`} we also carry `, '.'],
      [`From ${people}${source === '' ? '' : `${source},`} there is `, '.'],
    ])
  },
  'no-works': ({ people, elsewhere }) =>
    elsewhere.length === 0
      ? [`That is the only series by ${people} that we carry.`, `I’m sorry, we have nothing else by ${people}.`]
      : [
          `${people} also made ${joined(elsewhere.map((name) => `“${name}”`))}, but we don’t carry ${elsewhere.length === 1 ? 'it' : 'them'}.`,
          `We have nothing else by ${people}. Elsewhere you may find ${joined(elsewhere.map((name) => `“${name}”`))}.`,
        ],
  'unknown-person': ({ people }) => [
    `I’m sorry, we carry nothing by ${people}. What do you like about those books?`,
    `There is nothing by ${people} on our shelves. Which of their books did you enjoy?`,
  ],
  unstocked: ({ name, picks }) =>
    picks.length === 0
      ? [
          `I’m sorry, we don’t carry “${name}”. What do you like about it? I’ll find something close.`,
          `“${name}” isn’t on our shelves. Tell me one thing you enjoy in it and I’ll look for something near?`,
        ]
      : body(picks, [
          [`I’m sorry, we don’t carry “${name}”. The nearest we have is `, '.'],
          [`“${name}” isn’t on our shelves, but `, ' is close to it.'],
        ]),
  explain: ({ pick: one, isAlone }) => [
    `I chose ${pick(one)} for this:${reason(one.reason)}`,
    isAlone ? `About ${pick(one)}:${reason(one.reason)}` : `${pick(one)}:${reason(one.reason)}`,
  ],
}
