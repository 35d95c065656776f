// The statements of an answer that can be compared with the store: prices, numbers of volumes, stock and status, each bound
// to the series that it is about. Cautious: a statement whose series or meaning is unclear is not a claim.
import { AMOUNT, NUMBER, amountIn } from './numbers.ts'
import { isOtherWork, MARK, mentionAt } from './titles-in.ts'
import type { Marked, NamedTitle } from './titles-in.ts'

export type ClaimKind = 'price' | 'volumes' | 'stock' | 'status'

export type ClaimedStatus = 'completed' | 'running' | 'hiatus' | 'not-completed'

export type ClaimValue =
  | {
      readonly kind: 'price'
      readonly yen: number
      readonly isAbout: boolean
      readonly scope: 'volume' | 'total' | 'any'
    }
  | { readonly kind: 'volumes'; readonly volumes: number; readonly isAbout: boolean }
  | { readonly kind: 'stock'; readonly copies: number }
  | { readonly kind: 'stock'; readonly isInStock: boolean }
  | { readonly kind: 'status'; readonly status: ClaimedStatus }

export type Claim = ClaimValue & {
  /** The series that it may be about: one, or several in a sentence that does not say which. Empty: unknown. */
  readonly about: readonly NamedTitle[]
  /** Numbers of volumes that the sentence names: a price may be that of several volumes. */
  readonly counts: readonly number[]
  /** Every series that the answer has named so far: a sum may be over any of them. */
  readonly named: readonly NamedTitle[]
}

const SENTENCE = /[^。！？!?\n.]*(?:\.(?!\s|$)[^。！？!?\n.]*)*(?:[。！？!?\n]|\.(?=\s|$)|$)/gu
const MARKS = new RegExp(MARK, 'gu')
/** Abbreviations whose point ends no sentence. */
const ABBREVIATION = /\b(vols?|no|approx|ca|dr|mr|mrs|ms|st|vs|e\.g|i\.e)\./giu
/** A longer sentence is a list without an end: its rest is not read. */
const SENTENCE_MAX = 1500
const SENTENCES_MAX = 200
/** How many sentences without a title may follow one that names a single series. */
const INHERITING_MAX = 2

export function claimsIn(marked: Marked): readonly Claim[] {
  const claims: Claim[] = []
  const named: NamedTitle[] = []
  let sentences = 0
  for (const paragraph of marked.text.replaceAll(ABBREVIATION, '$1').split(/\n\s*\n/u)) {
    let inherited: readonly NamedTitle[] = []
    let since = 0
    for (const [whole] of paragraph.matchAll(SENTENCE)) {
      const sentence = whole.slice(0, SENTENCE_MAX)
      if (sentence.trim() === '') continue
      sentences += 1
      if (sentences > SENTENCES_MAX) return claims
      const owners = ownersIn(sentence, marked)
      const subjects = owners.flatMap(({ mention, until }) => (until === undefined ? [mention] : []))
      named.push(...subjects)
      if (subjects.length > 0 || sentence.search(MARKS) >= 0) {
        inherited = distinct(subjects)
        since = 0
      } else since += 1
      if (since > INHERITING_MAX || inherited.length > 1) inherited = since === 0 ? inherited : []
      if (isQuestion(sentence)) continue
      const before = subjects.length === 0 ? inherited : []
      claims.push(...claimsOf(sentence, { owners, inherited: before, named: distinct(named) }))
    }
  }
  return claims
}

const isQuestion = (sentence: string): boolean => /[?？]\s*$|(?:でしょうか|ますか|ですか)[。\s]*$/u.test(sentence)

const distinct = (mentions: readonly NamedTitle[]): readonly NamedTitle[] => [
  ...new Map(mentions.map((mention) => [mention.product?.id ?? `?${mention.name}`, mention])).values(),
]

interface Owner {
  readonly mention: NamedTitle
  readonly at: number
  /** The words after the name make it the subject of what follows. */
  readonly isSubject: boolean
  /** A series that is compared with is described in the brackets after its name alone: where they end. */
  readonly until?: number
}

/** Words that make a series the thing compared with, not the thing described. */
const ASIDE_AFTER =
  /^[\s」”"*』]*(?:より|に似|みたい|のよう|っぽ|が好き|がお好き|をお好き|を読|を楽し|のファン|と同じ|ファン|と並|に続|に比べ|ほど|以外|fans?\b|lovers?\b|readers?\b)/iu
const ASIDE_BEFORE =
  /(?:\b(?:like|likes|liked|love|loved|enjoy|enjoyed|than|similar to|fans? of|unlike|besides|reminiscent of|vein of|spirit of|compared (?:to|with)|as much as|after|before|instead of))\s+[“"*「『(]*$/iu
const SUBJECT =
  /^[\s」”"*』]*(?:は|が|も|なら|[（(:：—–,、|]|-\s|\s*(?:is|are|has|have|costs?|runs?|at|comes?|by|for|ended|finished|which|was)\b)/iu

const BRACKETS = /^[\s」”"*』]*[（(][^）)]*[）)]/u

function ownersIn(sentence: string, marked: Marked): readonly Owner[] {
  const owners: Owner[] = []
  let described = -1
  for (const { 0: mark, index } of sentence.matchAll(MARKS)) {
    const mention = mentionAt(marked, mark)
    const after = sentence.slice(index + 1)
    // A name in the brackets after a title is that of a person in it.
    if (index < described && mention?.isBare === true) continue
    described = index + 1 + (BRACKETS.exec(after)?.[0].length ?? 0)
    const isAside = ASIDE_AFTER.test(after) || ASIDE_BEFORE.test(sentence.slice(0, index))
    const brackets = isAside ? BRACKETS.exec(after)?.[0].length : undefined
    if (mention === undefined || (isAside && brackets === undefined)) continue
    const isDoubtful = mention.isDoubtful || isOtherWork(after)
    const until = brackets === undefined ? {} : { until: index + 1 + brackets }
    owners.push({ mention: { ...mention, isDoubtful }, at: index, isSubject: SUBJECT.test(after), ...until })
  }
  return owners
}

interface Binding {
  readonly owners: readonly Owner[]
  readonly inherited: readonly NamedTitle[]
  readonly named: readonly NamedTitle[]
}

/** All of them are meant, or sums of them. */
const TOGETHER =
  /どちらも|いずれも|両方|両作|それぞれ|ともに|2作|3作|合わせ|合計|\b(?:both|each of|all (?:two|three|of them)|together|respectively|either|combined)\b/iu

function aboutAt(at: number, sentence: string, { owners, inherited }: Binding): readonly NamedTitle[] {
  const inBrackets = owners.find(({ at: from, until }) => until !== undefined && from < at && at < until)
  if (inBrackets !== undefined) return [inBrackets.mention]
  const subjects = owners.filter(({ until }) => until === undefined)
  const all = distinct(subjects.map(({ mention }) => mention))
  if (all.length === 0) return inherited
  if (all.length === 1 || TOGETHER.test(sentence)) return all
  const before = subjects.filter((owner) => owner.at < at)
  const nearest = before.at(-1)
  return nearest?.isSubject === true ? [nearest.mention] : all
}

function claimsOf(sentence: string, binding: Binding): readonly Claim[] {
  const counts = [...sentence.matchAll(COUNTED)].flatMap((match) => amountIn(match[1] ?? match[2] ?? '') ?? [])
  const found = [...pricesIn(sentence), ...volumesIn(sentence), ...stockIn(sentence), ...statusIn(sentence)]
  return found.map(({ at, value }) => {
    return { ...value, about: aboutAt(at, sentence, binding), counts, named: binding.named }
  })
}

interface Found {
  readonly at: number
  readonly value: ClaimValue
}

const COUNTED = new RegExp(
  `(${NUMBER})\\s*(?:巻|冊|組|セット|volumes?\\b|vols?\\b|books?\\b|copies\\b|(?:full |complete |whole )?sets?\\b)|(?:volumes?|vols?)\\s*\\d+\\s*(?:-|–|~|〜|to|through)\\s*(\\d+)`,
  'giu',
)

// Prices

const PRICE = new RegExp(`(?:[¥￥]\\s*(${AMOUNT}))|(${AMOUNT})\\s*(?:円|yen\\b|JPY\\b)`, 'giu')
/** Sentences about fees and limits: their amounts are not those of a series. */
const OTHER_MONEY =
  /送料|配送料|手数料|ポイント|クーポン|割引|値引|ラッピング|ギフト|代引|返金|税抜|税別|予算|ご希望|\b(?:shipping|delivery|postage|fees?|wrapping|gift|coupons?|points|discounts?|budget|refunds?|excluding tax|before tax|minimum)\b/iu
const LIMIT_AFTER =
  /^\s*(?:以内|以下|未満|以上|台|前後|まで|くらいまで|ほどまで|を?超|より|弱|強|も?\s*(?:安|高)|お得|の差|off\b|less\b|more\b|cheaper|or (?:less|under|more)|extra|savings?|left\b|remaining|to spare|of your\b|残|足り|不足)/iu
const LIMIT_BEFORE =
  /(?:\b(?:under|over|below|above|within|less than|more than|up to|at most|at least|or less|between|from|save|than|and|(?<!(?:come|comes|came|amounts?|up|adds up) )to|cap of|limit of|leaving|remaining|difference of|saving|your)|差額は|残りは?|[-–~〜])\s*$/iu
const ABOUT_BEFORE =
  /(?:約|およそ|だいたい|大体|ほぼ|\b(?:about|around|roughly|approximately|nearly|almost|some|just (?:over|under)))\s*$/iu
const ABOUT_AFTER = /^\s*(?:ほど|くらい|ぐらい|程度|前後|余り|or so)/u
const TOTAL =
  /全巻|合計|総額|全部|まとめ|セット|一式|揃え|そろえ|\b(?:total|in all|altogether|whole (?:set|series|run)|complete set|full set|all \w+ volumes|all of|entire|set)\b/iu
const PER_VOLUME =
  /(?<![\d十百])(?:1|一|各|毎)\s*[巻冊]|巻あたり|冊あたり|\b(?:a|per|each|every|one|single) volume\b|\beach\b|\ba book\b|\bper book\b/iu

function pricesIn(sentence: string): readonly Found[] {
  if (OTHER_MONEY.test(sentence)) return []
  return [...sentence.matchAll(PRICE)].flatMap((match): Found[] => {
    const yen = amountIn(match[1] ?? match[2] ?? '')
    const [before, after] = around(sentence, match)
    if (yen === undefined || LIMIT_AFTER.test(after) || LIMIT_BEFORE.test(before)) return []
    const isAbout = ABOUT_BEFORE.test(before) || ABOUT_AFTER.test(after)
    const clause = `${lastClause(before)}${match[0]}${firstClause(after)}`
    const [isTotal, isPerVolume] = [TOTAL.test(clause), PER_VOLUME.test(clause)]
    const scope = isTotal === isPerVolume ? 'any' : isTotal ? 'total' : 'volume'
    return [{ at: match.index, value: { kind: 'price', yen, isAbout, scope } }]
  })
}

function around(sentence: string, match: RegExpExecArray): readonly [string, string] {
  const end = match.index + match[0].length
  return [sentence.slice(Math.max(0, match.index - AROUND), match.index), sentence.slice(end, end + AROUND)]
}

/** How many characters beside a figure tell what it means. */
const AROUND = 120

const CLAUSE_END = new RegExp(`[、,;；（(）)・/]|${MARK}|\\b(?:and|but|or)\\b`, 'u')
const lastClause = (text: string): string => text.split(CLAUSE_END).at(-1) ?? ''
const firstClause = (text: string): string => text.split(CLAUSE_END)[0] ?? ''

// Volumes

const VOLUMES_JA = new RegExp(
  `(?:全|既刊|計)\\s*(${NUMBER})\\s*巻|(?<![第\\d〜~-])(${NUMBER})\\s*巻(?=\\s*(?:で?完結|構成|(?:まで)?(?:が|を)?\\s*(?:刊行|発売|出て|出版)|ものの|の(?:作品|シリーズ|大作|長編)))`,
  'gu',
)
const VOLUMES_EN = new RegExp(`(${NUMBER})[\\s-]+(?:collected\\s+|total\\s+)?vol(?:ume)?s?\\b(?!\\s*\\d)`, 'giu')
/** A part of a series, or copies of it. */
const PART_BEFORE =
  /(?:\b(?:first|next|last|another|other|of|final|these|those|early|latest|any|every|per|read|buy|take|for|get|try|the|more|under|over|below|within|than|most|least|to|about|around|roughly|nearly|almost)|最初の|最後の|約|およそ|[-–~〜])\s*$/iu
const PART_AFTER =
  /^\s*(?:in stock|left|available|at a time|a (?:day|week|month|year)|or (?:less|fewer|more|so)|ago|以内|以下|未満|以上|ほど|くらい|程度|前後|弱|強|ずつ|目|分)/iu

/** "Three volumes of …" are some of them. */
const OF_TITLE = new RegExp(`^\\s*of\\s+[“"*]*${MARK}`, 'iu')

function volumesIn(sentence: string): readonly Found[] {
  const found = [...sentence.matchAll(VOLUMES_JA), ...sentence.matchAll(VOLUMES_EN)]
  return found.flatMap((match): Found[] => {
    const volumes = amountIn(match[1] ?? match[2] ?? '')
    const [before, after] = around(sentence, match)
    const isWhole = /全|既刊/u.test(match[0]) || /\ball\s*$/iu.test(before)
    const isPart = PART_BEFORE.test(before) || OF_TITLE.test(after)
    if (volumes === undefined || PART_AFTER.test(after) || (isPart && !isWhole)) return []
    // "one volume" is mostly a unit: a price, a start.
    if (volumes === 1 && !isWhole) return []
    if (/アニメ|\banime\b/iu.test(lastClause(before))) return []
    return [{ at: match.index, value: { kind: 'volumes', volumes, isAbout: ABOUT_BEFORE.test(before) } }]
  })
}

// Stock

const COPIES = new RegExp(
  `(?:在庫(?:数)?(?:は|が|も|:|：)?\\s*(?:現在|あと|残り|ただいま)*\\s*|残り(?:は|わずか|あと)?\\s*)(${NUMBER})\\s*(?:冊|点|部|セット|組|個)|(${NUMBER})\\s*(?:copies|sets?|units?)?\\s*(?:are |is |currently |still |now )*(?:left in stock|in stock|left\\b)|\\bstock:?\\s*(?:is |of )?(\\d+)`,
  'giu',
)
const SOLD_OUT =
  /在庫(?:が|は|も)?(?:ただいま|現在|今)?(?:あり(?:ませ|ません)|ございません|なし|無し|ない|切れ)|品切れ|売り切れ|入荷待ち|\b(?:out of stock|sold out|not (?:currently |now )?in stock|no copies|unavailable)\b/iu
const IN_STOCK =
  /在庫(?:が|は|も)?(?:ただいま|現在|今|十分)?(?:あります|ございます|あり(?![まが])|ある(?!か))|\b(?:is|are|it's|and|currently|now|all|have it|both)\s+(?:all\s+|currently\s+|now\s+|both\s+)?in stock\b/iu
const UNSURE_STOCK =
  /確認|かもしれ|次第|場合|もし|\b(?:if|whether|when|once|may|might|could|check|until|unless|would|again)\b/iu

function stockIn(sentence: string): readonly Found[] {
  if (UNSURE_STOCK.test(sentence)) return []
  const counted = [...sentence.matchAll(COPIES)].flatMap((match): Found[] => {
    const copies = amountIn(match[1] ?? match[2] ?? match[3] ?? '')
    const [before] = around(sentence, match)
    const isVolumes = /volumes?\s*$/iu.test(before)
    return copies === undefined || isVolumes ? [] : [{ at: match.index, value: { kind: 'stock', copies } }]
  })
  const soldOut = SOLD_OUT.exec(sentence)
  if (soldOut !== null) return [...counted, { at: soldOut.index, value: { kind: 'stock', isInStock: false } }]
  const inStock = IN_STOCK.exec(sentence)
  return inStock === null ? counted : [...counted, { at: inStock.index, value: { kind: 'stock', isInStock: true } }]
}

// Status

const SERIES = `(?:series|manga|it|which|title|serialization|story|run|${MARK})`
const STATUS: readonly { readonly status: ClaimedStatus; readonly pattern: RegExp }[] = [
  {
    status: 'not-completed',
    pattern: new RegExp(
      `未完(?:結|です)|完結(?:は|も)?し(?:て(?:い)?(?:ませ|ない)|ておりませ|ておらず|ていな|てな)|\\bunfinished\\b|\\b(?:not|n't)(?: yet| been)? (?:finished|completed?|ended|concluded)\\b|\\b(?:has|have)(?:n't| not)(?: yet)? (?:ended|finished|concluded)\\b|\\bincomplete\\b`,
      'giu',
    ),
  },
  { status: 'hiatus', pattern: /休載中|休載して(?:い|お)|\bon (?:a |an )?(?:long |indefinite |extended )?hiatus\b/giu },
  {
    status: 'running',
    pattern: new RegExp(
      `連載(?:は|も|が)?(?:まだ|現在も|今も|現在)?(?:中|続いて|継続)|続刊中|刊行中|\\bstill (?:running|ongoing|going|being published|in publication|serializ|serialis|coming out|continuing)|\\b(?:is|an?|are|currently|,|\\(|;|:|-|–|—)\\s*ongoing\\b(?! (?:war|battle|feud|fight|investigation|struggle|conflict|mystery|rivalry|case|story ?line))|\\bongoing (?:series|manga|title)\\b|\\bstatus:?\\s*(?:ongoing|running)\\b`,
      'giu',
    ),
  },
  {
    status: 'completed',
    pattern: new RegExp(
      `完結(?:済|し(?:て(?:い(?:ます|る|て)|お)|まし|た)|作|です|、|。|$|\\)|）|の|で)|連載(?:は|も)?(?:終了|終わ)|\\b(?:is|are|already|now|fully|been|,|\\(|;|:|–|—)\\s*(?:already |now |fully |long )*(?:complete|completed|finished|concluded)\\b(?! (?:set|edition|box|collection|story|with (?:a|the) (?:bonus|box)))|\\b(?:complete|completed|finished|concluded|ended|ends|wraps up|finishes|concludes|wrapped up) (?:in|at|with|after) (?:its |just |only )?${NUMBER}|\\b(?:completed|finished|concluded) (?:series|manga|title)\\b|${SERIES} (?:has |had )?(?:already |long )?(?:ended|concluded|finished)\\b(?! (?:reading|school))|\\bstatus:?\\s*(?:complete|completed|finished)\\b`,
      'giu',
    ),
  },
]
/** The shopper's wish, or the plot, and not the state of the series. */
const WISH_BEFORE =
  /(?:\b(?:if you|prefer|prefers|want|wants|wanted|looking for|asked for|something|anything|only|would like|rather|nothing|none)\b[^,.;]{0,40}|ご希望[^、。]{0,12}|お探し[^、。]{0,12})$/iu
const WISH_AFTER =
  /^\s*(?:もの|作品|漫画|マンガ|シリーズ)?\s*(?:が|を|で|に)?\s*(?:お好み|ご希望|良|よけれ|いい|限|絞|お探し|ということ|とのこと|なら|したら|後|まで|すれば|に向け|編)/u
const OTHER_MEDIUM = /アニメ|映画|劇場版|実写|小説|\b(?:anime|film|movie|live-action|novels?|adaptation|season)\b/iu

function statusIn(sentence: string): readonly Found[] {
  const taken: Found[] = []
  let rest = sentence
  for (const { status, pattern } of STATUS) {
    for (const match of rest.matchAll(pattern)) {
      const [before, after] = around(rest, match)
      if (WISH_BEFORE.test(before) || WISH_AFTER.test(after)) continue
      if (OTHER_MEDIUM.test(lastClause(before)) || OTHER_MEDIUM.test(firstClause(after))) continue
      taken.push({ at: match.index, value: { kind: 'status', status } })
    }
    // "not finished" must not be read again as "finished".
    rest = rest.replaceAll(pattern, (found) => ' '.repeat(found.length))
  }
  return taken
}
