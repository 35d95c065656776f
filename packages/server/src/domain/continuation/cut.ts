// Classifies where the shown text broke off and how the new text begins, by grammar and shape, to judge whether it continues.

/** Brackets, quotes and emphasis with their closing marks; `**` opens and closes. */
const PAIRS: Readonly<Record<string, string>> = {
  '『': '』',
  '「': '」',
  '（': '）',
  '(': ')',
  '【': '】',
  '“': '”',
  '**': '**',
}
const CLOSERS: ReadonlySet<string> = new Set(Object.values(PAIRS))
const BRACKETS = /\*\*|[『』「」（）()【】“”]/gu
const FINISHED = /(?:[。．.!?！？♪](?:["”’」』）)]|\*\*)*\s*|\n\s*)$/u
/** "2." or "-" alone on the last line: the text of the item is missing. */
const MARKER_ONLY = /(?:^|\n)\s*(?:\d{1,2}[.)]|[-*•・])\s*$/u
const ITEM_NUMBER = /(?:^|\n)\s*(\d{1,2})[.)]/gu

const BOLD_ITEM = /(?:^|\n)\s*(?:\d{1,2}[.)]|[-*•・])\s+\*\*/u

export interface Cut {
  /** Within a sentence, after a complete one, or after the marker of a list item. */
  readonly place: 'within' | 'finished' | 'item'
  /** The innermost bracket, quote or emphasis that is still open. */
  readonly open: string | undefined
  /** The number of the last list item. */
  readonly item: number | undefined
  /** Whether its list items begin with bold words. */
  readonly hasBoldItems: boolean
}

export function cutOf(shown: string): Cut {
  const line = shown.slice(shown.lastIndexOf('\n') + 1)
  const item = [...shown.matchAll(ITEM_NUMBER)].at(-1)?.[1]
  return {
    place: MARKER_ONLY.test(shown) ? 'item' : FINISHED.test(shown) ? 'finished' : 'within',
    open: openIn(line),
    item: item === undefined ? undefined : Number(item),
    hasBoldItems: BOLD_ITEM.test(shown),
  }
}

function openIn(line: string): string | undefined {
  const open: string[] = []
  for (const [mark] of line.matchAll(BRACKETS)) {
    if (CLOSERS.has(mark) && PAIRS[open.at(-1) ?? ''] === mark) open.pop()
    else if (mark in PAIRS) open.push(mark)
  }
  return open.at(-1)
}

/** Whether the text closes the open mark before it opens another one of the same kind. */
export function closes(open: string, said: string): boolean {
  const close = PAIRS[open] ?? open
  const line = said.trimStart().split('\n', 1)[0] ?? ''
  const at = line.indexOf(close)
  if (at < 0) return false
  // A `**` that is followed by a letter opens an emphasis instead of closing it.
  if (close === open) return !/^[\p{L}\p{N}『「“]/u.test(line.slice(at + close.length)) || at > 0
  const again = line.indexOf(open)
  return again < 0 || at < again
}

/**
 * `attached`: it belongs to the preceding text by grammar. `likely`: a Japanese word or phrase continues across the cut. `free`: it
 * could continue, or begin something else. `item`: it is the next item of the list. `apart`: it does not continue.
 */
export type Beginning = 'attached' | 'likely' | 'free' | 'item' | 'apart'

const ITEM = /^(?:(\d{1,2})[.)]\s|[-*•・]\s)/u
const HEADING = /^#{1,4}\s/u
/** Particles and endings of Japanese words, without the words that begin with the same letters. */
const JAPANESE_ATTACHED = new RegExp(
  '^(?:(?:かかり|いただ|くださ|ござい|おりま|なりま|できま|いたしま|ありま)(?!.{0,4}か)|い(?:ます|ません|ました)|さん(?![ぽか])|様|氏|先生[のはがもと]|は(?![いじっ])|が(?!ん)|を|に(?![ぎつ])|で(?!は、|も、|した|き|すが|すの)|と(?![てくりはのこ])|も(?![ちしうっと])|の(?![ちんぞ])|や(?![はっさ])|へ|' +
    'から(?!い)|まで|より|など|です(?![がの])|ます|まし|ませ|でし|だ(?![いけっ])|った|って|て(?![いが])|た(?![とくだぶめしい])|' +
    'な(?![おかんるぜにどしが])|い(?![いくつえずまろちた])|う(?![れち])|く(?![わだ])|け(?!れ)|さ(?![らてっんま])|し(?![かばっ])|す(?![でべみごぐ])|' +
    'せ(?!っ)|り|る|れ|ろ|ら|べ(?!つ)|ば|ん|ー|っ|ゃ|ゅ|ょ|き(?![っほんみ])|え(?![えっ]))',
  'u',
)
/** Words other than names that begin a sentence with a capital letter. */
const SENTENCE_WORDS = new RegExp(
  '^(?:The|This|That|These|Those|There|Here|You|Your|We|Our|It|Its|If|For|In|On|At|As|With|Yes|No|Not|Sure|Sorry|Of|All|Any|Both|Each|Every|' +
    'Many|Most|Some|Several|To|From|By|When|While|Where|What|Which|Who|How|Why|Have|Has|Do|Does|Did|Could|Can|Would|Will|Should|Let|Try|Start|' +
    'Two|Three|Four|Five|Go|Open|Please|Buying|An?|And|But|Or|So|Then|Now|After|Before|Good|Great|Honestly|Unfortunately|Partly|Probably|Maybe|Perhaps|Thanks?|Hi|Hello)' +
    '(?![\\p{L}])',
  'u',
)

/** A name with its verb before any comma begins a new sentence. */
const OWN_SENTENCE =
  /^\p{Lu}[^,.;:!?\n]*\s(?:is|are|was|were|has|have|had|can|could|will|would|should|may|might|must|does|do|did|takes?|comes?|runs?|needs?|costs?|begins?|starts?|follows?|tells?|made|ended|remains?)\s/u

const ABBREVIATED = /(?:\.\p{L}|\s\p{L}{1,3})\.\s?$/u
/** A sentence that introduces a person by full name begins an answer more often than it continues one. */
const NEW_NAME = /^\p{Lu}\p{L}+ (?:\p{Ll}{1,3} )?\p{Lu}\p{L}+(?:['’]s)? /u

/** The same holds for a sentence whose subject is a single name. */
const NEW_SUBJECT = /^\p{Lu}\p{L}+ (?:is|was|would|has)(?!\p{L})/u

/** A sentence that is only a predicate is an answer by itself, unless the shown text needs a predicate next. */
const PREDICATE_ALONE = /^(でき|あり|ござい|なり|おり|い|いただけ)(?:ます|ません|ました)(?:よ|ね)?[。！!]/u
const ACTION =
  '(?:利用|返品|注文|確認|購入|選択|変更|対応|発送|配送|予約|交換|登録|検索|閲覧|指定|参加|連絡|相談|絞り込み|取り消し|受け取り|キャンセル)'
const PREDICATE_IS_DUE: Readonly<Record<string, RegExp>> = {
  でき: new RegExp(`(?:[がもは]|${ACTION})$`, 'u'),
  いただけ: new RegExp(`(?:[てで]|${ACTION})$`, 'u'),
  あり: /[がもはでに]$/u,
  ござい: /[がもはで]$/u,
  なり: /[にとくも]$/u,
  おり: /[てで]$/u,
  い: /[てで]$/u,
}

export function beginningOf(shown: string, said: string, cut: Cut): Beginning {
  const text = said.trimStart()
  const predicate = PREDICATE_ALONE.exec(text)?.[1]
  if (predicate !== undefined && PREDICATE_IS_DUE[predicate]?.test(shown) !== true) return 'apart'
  const number = ITEM.exec(text)?.[1]
  if (number !== undefined && cut.place !== 'within') return Number(number) === (cut.item ?? 0) + 1 ? 'item' : 'apart'
  if (ITEM.test(text)) return cut.place === 'finished' && number === undefined ? 'item' : 'apart'
  if (HEADING.test(text) && !shown.endsWith('\n')) return 'apart'
  // Digits on both sides of the cut may belong to different numbers.
  if (/\p{N}[.,]?$/u.test(shown) && /^\p{N}/u.test(said)) return isThousands(shown, said) ? 'attached' : 'apart'
  if (/^\p{Ll}/u.test(text)) return cut.place === 'finished' && !ABBREVIATED.test(shown) ? 'free' : 'attached'
  const isNamed = !SENTENCE_WORDS.test(text) && (NEW_NAME.test(text) || NEW_SUBJECT.test(text))
  if (cut.place === 'finished') return isNamed ? 'apart' : 'free'
  if (/^(?:[,.;:!?)\]}…’”'%、。，．！？：）」』】〜～]|-\p{L}|\*\*(?![\p{L}\p{N}]))/u.test(text)) return 'attached'
  if (JAPANESE_ATTACHED.test(text) && !/[、，\s]$/u.test(shown)) return 'attached'
  if (isOnePhrase(shown, text)) return 'likely'
  if (cut.place === 'item') return text.startsWith('**') === cut.hasBoldItems ? 'free' : 'apart'
  return SENTENCE_WORDS.test(text) || OWN_SENTENCE.test(text) ? 'apart' : 'free'
}

/** "12," and "419" are the groups of one number. */
function isThousands(shown: string, said: string): boolean {
  return /(?:^|[^\d.,])\d{1,3},$/u.test(shown) && /^\d{3}(?![\d,])/u.test(said)
}

const words = new Intl.Segmenter('ja', { granularity: 'word' })
const WORD_UNITS_MAX = 8
const SAME_SCRIPT = /^(?:\p{Script=Han}{2}|[\p{Script=Katakana}ー]{2})$/u
const NUMBER_AND_COUNTER = /^\p{N}[巻円冊年月日時人話回点本件章部歳分秒種%]$/u
/** Japanese has the verb last: a sentence hardly ever begins with one, and a particle at the end needs one. */
const VERB_IS_DUE = /[をがにはでとも]$/u
const VERB = /^\p{Script=Han}{1,2}(?![はがのをにでともやへかな])\p{Script=Hiragana}/u

/** Whether a Japanese word or phrase continues across the cut. */
function isOnePhrase(shown: string, said: string): boolean {
  const [last, first] = [shown.slice(-1), said.slice(0, 1)]
  if (NUMBER_AND_COUNTER.test(last + first) || (VERB_IS_DUE.test(shown) && VERB.test(said))) return true
  if (!SAME_SCRIPT.test(last + first) || last === first) return false
  const before = shown.slice(-WORD_UNITS_MAX)
  const across = words.segment(before + said.slice(0, WORD_UNITS_MAX)).containing(before.length)
  return across !== undefined && across.index < before.length
}
