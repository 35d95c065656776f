// Recognises the one fact that is asked about a series: author, start, status, length, price of all volumes. With a
// named series the words may stand anywhere in the message; without one they must be the whole question.
import type { Fact } from './ask.ts'
import type { Utterance } from './utterance.ts'

const FACTS = ['total', 'author', 'start', 'status', 'length'] as const

const OF_NAMED: Readonly<Record<(typeof FACTS)[number], RegExp>> = {
  total: /全巻.*(?:いくら|何円|値段|価格)|\b(?:whole (?:series|set)|all (?:the )?volumes|complete set|full set)\b/u,
  author:
    /(?:作者|著者|作家)(?:は|って|を|が|誰|\?|$)|誰が(?:描|書)|\bwho (?:wrote|drew|made|created|is the (?:author|artist|mangaka))\b/u,
  start: /いつ(?:から|始|連載開始)|何年(?:に|から)|\bwhen did\b.*\b(?:start|begin|come out)\b|\bwhat year\b/u,
  status:
    /(?:完結|連載中|終わっ(?:て|た)).{0,8}(?:\?|か[。\s]*$)|^(?:is|has|did)\b.*\b(?:finished|complete|completed|over|ended|ongoing|running)\b/u,
  length: /何巻|\bhow many volumes\b/u,
}

const JA_IT = '(?:それ|これ|あれ|[そこ]の(?:作品|漫画|マンガ))?(?:は|って|の|も|、|\\s)*'
const EN_IT = '(?:it|that|this|(?:the|that|this) (?:one|series|manga))'
const DONE = '(?:finished|complete|completed|over|done|ongoing|running|going|ended|end|finish|on hiatus)'
const whole = (...ways: readonly string[]): RegExp => new RegExp(`^(?:${ways.join('|')})$`, 'u')

const ALONE: Readonly<Record<(typeof FACTS)[number], RegExp>> = {
  total: whole(
    `${JA_IT}(?:全巻|全部(?=で|だと|買))(?:で|だと|買うと|買ったら|そろえると|揃えると|まとめて)?(?:、|は)?(?:いくら|何円|値段).{0,8}`,
    `(?:and )?(?:how much|what).*\\b(?:whole (?:series|set|thing)|all (?:of )?(?:the )?volumes|complete set|full set|all of it)\\b.*`,
  ),
  author: whole(
    `${JA_IT}(?:作者|著者|作家)(?:さん)?(?:は|って|の名前は)?(?:誰|だれ|何)?(?:です|なの|だっけ)?か?`,
    `${JA_IT}誰が(?:描|書).{0,8}`,
    `${JA_IT}誰の(?:作品|漫画).{0,5}`,
    `(?:and )?who(?:'s| is| was) (?:the|its) (?:author|mangaka|artist|writer|creator)(?: of ${EN_IT})?`,
    `(?:and )?who (?:wrote|drew|made|created) ${EN_IT}`,
    `(?:and )?(?:the )?author`,
  ),
  start: whole(
    `${JA_IT}いつ(?:から|始ま|連載開始|の作品|の漫画).{0,10}`,
    `${JA_IT}(?:何年(?:から|に始|の)|連載開始は).{0,10}`,
    `(?:and )?when (?:did|was) ${EN_IT} .*(?:start|begin|out|published|released).*`,
    `(?:and )?(?:what year|how old) .*${EN_IT}.*`,
  ),
  status: whole(
    `${JA_IT}(?:もう|まだ|今も)?(?:完結|終わっ|連載中|続い)(?!.*(?:の(?:は|が|あ|で|を)|やつ|もの|作品|漫画|だけ|なら|読|探)).{0,9}`,
    `(?:and )?(?:is|has|did|was) ${EN_IT} (?:already |still |now |yet )?${DONE}(?: yet| now| already)?`,
  ),
  length: whole(`${JA_IT}(?:全部で)?何巻.{0,8}`, `(?:and )?how (?:many volumes|long is ${EN_IT}).{0,20}`),
}

const ASIDE = /^(?:(?:じゃあ|では|で|ちなみに|and|so|ok|okay|great|cool|then)[、,\s]+)+/u

export function factOfNamed({ folded }: Utterance): Fact | undefined {
  return FACTS.find((fact) => OF_NAMED[fact].test(folded.trim()))
}

/** The fact that is asked about the series that were shown, when the message names none. */
export function factAlone({ folded }: Utterance): Fact | undefined {
  const said = folded.trim()
  const sentence = said
    .split(/[。.!?]/u)
    .map((part) => part.trim())
    .findLast((part) => part !== '')
    ?.replace(ASIDE, '')
  if (sentence === undefined) return undefined
  const fact = FACTS.find((one) => ALONE[one].test(sentence))
  // 「完結してる」 without a question mark is a wish, not a question.
  return fact === 'status' && !/\?\s*$|か[。\s]*$/u.test(said) && !/^(?:and )?(?:is|has|did|was) /u.test(sentence)
    ? undefined
    : fact
}
