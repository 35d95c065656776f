// The features by which the complexity of a message is judged, as 32-bit hashes: what was read of it, how long and how tangled
// it is, and runs of its words. Training and use share this file; a change here needs new weights.
import { foldedPrefix } from '../../text/words.ts'
import { hashOf } from '../model/features.ts'
import type { Reading, Role } from '../reading.ts'
import { complexCuesIn } from './floor.ts'

/** Raise it with every change of the features: weights of another version are refused. */
export const COMPLEXITY_FEATURES_VERSION = 2

export interface ComplexityFeatures {
  /** Facts about the message; each counts fully. */
  readonly facts: Uint32Array
  /** Runs of words; together they count as one, however many there are. */
  readonly runs: Uint32Array
}

/** The feature that every message has. */
export const BIAS = hashOf('bias')

/** A longer message is complex by its length. */
const UNITS_MAX = 600

export function complexityFeatures(message: string, reading: Reading): ComplexityFeatures {
  const text = foldedPrefix(message, UNITS_MAX).normalize('NFKC').toLowerCase().replaceAll('’', "'")
  return { facts: factsOf(text, reading), runs: runsOf(text, reading) }
}

const LENGTHS = [5, 8, 12, 16, 20, 26, 32, 40, 50, 62, 76, 92, 110, 130, 155, 185, 220, 260, 310, 370, 440]
const CLAUSE = /[、。,.!?;:…\n]+|けど|ので|たら|なら|\b(?:and|but|or|because|so|if|though|while|unless)\b/gu
const SENTENCE = /[。.!?\n]+/gu
const QUESTION = /\?|か(?=[。\s…]|$)|(?:かな|ですか|ますか|のか)(?=[、,])/gu
const NEGATION =
  /(?:ない|なし|無し|ません|以外|抜き|除い|除く|苦手|嫌|飽き|ダメ|だめ|無理|じゃなく)|\b(?:no|not|never|without|nothing|except|n't|cannot|isn't|aren't|don't|doesn't|can't|won't|hate|hates|avoid|instead|rather)\b/gu
const CONNECTIVES: readonly (readonly [string, RegExp])[] = [
  ['contrast', /けど|けれど|でも|ただ|しかし|とはいえ|のに|\b(?:but|though|although|however|yet|still|except)\b/gu],
  ['cause', /ので|から(?!読)|ため|なので|\b(?:because|since|so|cause|cuz)\b/gu],
  ['condition', /たら|なら|れば|場合|もし|\b(?:if|unless|when|in case|otherwise|as long as)\b/gu],
  ['choice', /それとも|または|どっち|どちら|\b(?:or|either|versus|vs|which)\b/gu],
  ['addition', /それに|あと|それから|ついで|さらに|も含め|し、|\b(?:also|plus|as well|and also|besides|another)\b/gu],
  ['and', /と|や|\band\b/gu],
  ['carried', /そのまま|同じ|おなじ|変わっ|さっき|最初に|\b(?:same|still|as before|earlier|stays?|stand|rules?)\b/gu],
  ['sum', /合わせて|合計|両方|全部で|足し|\+|\b(?:plus|together|sum|total|both|altogether)\b/gu],
  ['part', /だけ|\d巻|\b(?:first|only|just|vols?|volumes?) \d|\b\d+ ?(?:to|-) ?\d/gu],
  ['difference', /違い|違う|違います|比べ|\b(?:differ\w*|compare\w*|vs|versus|between)\b/gu],
  [
    'order',
    /順番|順に|どれから|どこから|どっちから|先に読|続編|外伝|\b(?:order|start with|where (?:do|should) i start|sequels?|spin-?offs?)\b/gu,
  ],
  ['reason', /なぜ|なんで|どうして|理由|\bwhy\b/gu],
]
/** A measure by which things are compared; without one, the answer has to find it. */
const CLOSED = /安い|短い|長い|新しい|古い|多い|少な|\b(?:cheaper|shorter|longer|newer|older|less|fewer|more)\b/u
const NUMBER = /\d+/gu

function factsOf(text: string, reading: Reading): Uint32Array {
  const { act, language, spans, facts, measures, changes, grievances, referents, limits, faq } = reading
  const names = new Set<string>(['bias', `language ${language}`, `act ${act}`, `act ${act} ${language}`])
  const atLeast = (name: string, count: number, most: number) => {
    for (let n = 1; n <= Math.min(count, most); n += 1) names.add(`${name} ${n}`)
  }
  const matches = (pattern: RegExp) => [...text.matchAll(pattern)].length
  // A Japanese character says about twice as much as a Latin one.
  const length = Math.round(language === 'ja' ? text.length * 2.2 : text.length)
  const long = LENGTHS.filter((limit) => length >= limit * 2).length
  atLeast('length', long, LENGTHS.length)
  atLeast(`length ${language}`, long, LENGTHS.length)
  names.add(`act ${act} length ${Math.floor(long / 3)}`)
  const clauses = matches(CLAUSE)
  atLeast('clauses', clauses, 12)
  atLeast('sentences', matches(SENTENCE), 6)
  const questions = matches(QUESTION)
  atLeast('questions', questions, 4)
  const negations = matches(NEGATION)
  atLeast('negations', negations, 5)
  const said = new Map(CONNECTIVES.map(([name, pattern]) => [name, matches(pattern)]))
  for (const [name, count] of said) atLeast(name, count, 4)
  atLeast('numbers', matches(NUMBER), 4)
  const cues = complexCuesIn(text)
  for (const cue of cues) names.add(`cue ${cue}`)
  atLeast('cues', cues.length, 3)
  atLeast('spans', spans.length, 12)
  const kinds = new Set(spans.map(({ role }) => kindOf(role)))
  for (const kind of kinds) atLeast(`span ${kind}`, spans.filter(({ role }) => kindOf(role) === kind).length, 4)
  const conditions = [...kinds].filter((kind) => CONDITIONS.has(kind)).length
  atLeast('conditions', conditions, 7)
  names.add(`act ${act} conditions ${Math.min(conditions, 5)}`)
  atLeast('limits', Object.keys(limits).length, 4)
  atLeast('asked', facts.length + measures.length, 4)
  for (const fact of facts) names.add(`fact ${fact}`)
  for (const measure of measures) names.add(`measure ${measure}`)
  for (const change of changes) names.add(`change ${change}`)
  for (const grievance of grievances) names.add(`grievance ${grievance}`)
  atLeast('referents', referents.length, 3)
  atLeast('series', reading.series.length, 4)
  if (faq?.isAsked === true) names.add('faq asked')
  if (faq?.isSure === true) names.add('faq sure')
  if (negations > 0 && conditions > 1) names.add('negation among conditions')
  const says = (name: string) => (said.get(name) ?? 0) > 0
  if (says('sum') && says('part')) names.add('sum of parts')
  if (says('difference') && !CLOSED.test(text)) names.add('open comparison')
  if (says('carried') && (negations > 0 || conditions > 0)) names.add('conditions carried on')
  if (facts.length + measures.length > 1 && questions + (said.get('and') ?? 0) > 1) names.add('several asked')
  if (says('order') && facts.length > 0) names.add('order and facts')
  atLeast('tangle', Math.floor((clauses + questions + negations + spans.length) / 2), 12)
  return hashes(names)
}

/** Roles that state a condition of one kind are one. */
const kindOf = (role: Role): string => role.replace(/[:<>=].*$/u, '')
const CONDITIONS: ReadonlySet<string> = new Set(
  'like read hate by notby in notin want avoid allow total each vols year age finished running instock for demo'.split(
    ' ',
  ),
)

/** Names of series and people are no words, and numbers are alike. */
function runsOf(text: string, { spans }: Reading): Uint32Array {
  let plain = text
  for (const { role, from, to } of spans)
    if (NAMES.has(role)) plain = `${plain.slice(0, from)}${'\u0000'.repeat(to - from)}${plain.slice(to)}`
  const units = (plain.match(UNIT) ?? []).map((unit) => hashOf(/^[\u0000\d]/u.test(unit) ? unit.slice(0, 1) : unit))
  const runs = new Set<number>()
  for (let at = 0; at < units.length; at += 1) {
    let run = RUN
    for (let to = at; to < Math.min(at + RUN_LENGTH_MAX, units.length); to += 1) {
      run = Math.imul(Math.imul(run, 0x85ebca6b) ^ units[to]!, 0x01000193) >>> 0
      runs.add((run ^ (run >>> 15)) >>> 0)
    }
  }
  return Uint32Array.from(runs)
}

const NAMES: ReadonlySet<Role> = new Set(['title', 'like', 'read', 'hate', 'by', 'notby', 'in', 'notin'])
const RUN = hashOf('run')
const RUN_LENGTH_MAX = 3
const UNIT = /\u0000+|[\p{Script=Latin}\p{M}]+(?:'[\p{Script=Latin}]+)*|\d+|\S/gu

const hashes = (names: ReadonlySet<string>): Uint32Array => Uint32Array.from([...names], hashOf)
