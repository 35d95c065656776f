// Content notes, moods and genres in English, in the words of a bookseller.
import { GENRES, labelOf, MOODS } from '../../understanding/vocabulary.ts'
import type { LineOf } from '../lines.ts'
import { isMild, mainContent } from '../content-order.ts'
import type { ContentKey } from '../content-order.ts'
import { english } from './words.ts'

const { joined, title } = english

type Death = 'loss' | 'animal-death'
type Matter = 'suicide' | 'abuse' | 'bullying' | 'discrimination'

/** What a series has. */
const HAS: Readonly<Record<Exclude<ContentKey, Death | Matter>, string>> = {
  'violence-mild': 'some mild violence',
  'violence-strong': 'a lot of violence',
  gore: 'blood and gore',
  'sexual-mild': 'some mild sexual content',
  'sexual-strong': 'explicit sexual content',
  nudity: 'some nudity',
  frightening: 'some frightening scenes',
  drugs: 'drug use',
  'alcohol-tobacco': 'some drinking and smoking',
  war: 'scenes of war',
  'strong-language': 'strong language',
}

/** What it deals with. */
const DEALS: Readonly<Record<Matter, string>> = {
  suicide: 'suicide',
  abuse: 'abuse',
  bullying: 'bullying',
  discrimination: 'discrimination',
}

/** What happens in it. */
const HAPPENS: Readonly<Record<Death, string>> = {
  loss: 'someone close to the characters dies',
  'animal-death': 'an animal dies',
}

const VERBS = {
  has: ['has', 'deals with'],
  'does have': ['does have', 'does deal with'],
  'also has': ['also has', 'also deals with'],
} as const

const among = <Key extends string>(table: Readonly<Record<Key, string>>, keys: readonly string[]): string =>
  joined(keys.flatMap((key) => (Object.hasOwn(table, key) ? [table[key as Key]] : [])))

/** "It has some nudity and deals with bullying, and someone close to the characters dies": `it` may be a title. */
export function contentInEnglish(it: string, keys: readonly ContentKey[], does: keyof typeof VERBS = 'has'): string {
  const [had, dealt, happens] = [among(HAS, keys), among(DEALS, keys), among(HAPPENS, keys)]
  const [has, deals] = VERBS[does]
  const verbs = had === '' ? `${deals} ${dealt}` : `${has} ${had}${dealt === '' ? '' : ` and deals with ${dealt}`}`
  if (had === '' && dealt === '') return `${happens} in ${it}`
  return `${it} ${verbs}${happens === '' ? '' : `, and ${happens}`}`
}

/** Tame where nothing but mild notes is known. */
export function warningInEnglish(it: string, keys: readonly ContentKey[], max: number): string {
  const main = mainContent(keys, max)
  return isMild(main) ? `${it} is fairly tame, with just ${among(HAS, main)}` : contentInEnglish(it, main)
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Said of what is not there. */
const WITHOUT: Readonly<Record<ContentKey, string>> = {
  'violence-mild': 'violence',
  'violence-strong': 'heavy violence',
  gore: 'gore',
  'sexual-mild': 'sexual content',
  'sexual-strong': 'explicit sexual content',
  nudity: 'nudity',
  frightening: 'frightening scenes',
  loss: 'deaths of loved ones',
  bullying: 'bullying',
  suicide: 'suicide',
  abuse: 'abuse',
  drugs: 'drug use',
  'alcohol-tobacco': 'drinking or smoking',
  war: 'war',
  discrimination: 'discrimination',
  'strong-language': 'strong language',
  'animal-death': 'animal deaths',
}

/** Genres whose names are adjectives. */
const ADJECTIVES: Readonly<Record<string, string>> = {
  historical: 'history',
  medical: 'medicine',
  'post-apocalyptic': 'end-of-the-world survival',
  psychological: 'mind games',
  supernatural: 'the supernatural',
  thriller: 'suspense',
  school: 'school life',
  samurai: 'samurai action',
  mecha: 'giant robots',
}

const genreIn = (key: string): string => ADJECTIVES[key] ?? labelOf(GENRES, key, 'en')

/** Moods that make a shopper ask what to be ready for. */
const HEAVY: ReadonlySet<string> = new Set(['dark', 'sad', 'gritty'])

export function fitInEnglish({ product, has, content, genres, moods, age }: LineOf<'fit'>): readonly string[] {
  const own = product.content ?? []
  const name = title(product)
  if (has === undefined)
    return [`I’m not sure how ${name} handles that, sorry.`, `I don’t know that about ${name}, I’m afraid.`]
  const kinds = product.genres.slice(0, 2).map((key) => labelOf(GENRES, key, 'en'))
  const kind = kinds.length === 0 ? '' : ` It’s more about ${joined(product.genres.slice(0, 2).map(genreIn))}.`
  const strong = mainContent(own, 2)
  const notes = strong.length === 0 || isMild(strong) ? '' : ` ${capital(contentInEnglish('it', strong, 'does have'))}.`
  if (content.length > 0) {
    const rest = mainContent(
      own.filter((key) => !content.includes(key)),
      2,
    )
    const more = rest.length === 0 || isMild(rest) ? '' : ` ${capital(contentInEnglish('it', rest, 'also has'))}.`
    const without = joined(
      content.map((key) => WITHOUT[key]),
      'or',
    )
    return has
      ? [
          `Yes, ${contentInEnglish(name, mainContent(content, 3))}.${more}`,
          `Yes, I’m afraid ${contentInEnglish(name, mainContent(content, 3), 'does have')}.${more}`,
        ]
      : [
          `No, as far as I know there’s no ${without} in ${name}.${notes}`,
          `No, you won’t find ${without} in ${name}, as far as I know.${notes}`,
        ]
  }
  const felt = joined(
    moods.map((key) => labelOf(MOODS, key, 'en')),
    has ? 'and' : 'or',
  )
  const about = joined(genres.map(genreIn), has ? 'and' : 'or')
  const warned = moods.some((key) => HEAVY.has(key)) || age !== undefined ? notes : ''
  if (!has)
    return felt === ''
      ? [
          `No, there’s not much ${about} in ${name}.${kind}`,
          `Not really, ${name} has little to do with ${about}.${kind}`,
        ]
      : [`No, ${name} isn’t really ${felt}.${warned || kind}`, `I wouldn’t call ${name} ${felt}, no.${warned || kind}`]
  if (felt === '')
    return [`Yes, there’s plenty of ${about} in ${name}.${warned}`, `Yes, ${about} is a big part of ${name}.${warned}`]
  const also = about === '' ? '' : `, with plenty of ${about}`
  return [`Yes, ${name} is ${felt}${also}.${warned}`, `It is, yes: ${name} is quite ${felt}${also}.${warned}`]
}
