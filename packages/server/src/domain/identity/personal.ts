// Finds possible personal data: addresses, numbers that look like ids, names that people give as their own, and mentions of
// their orders and accounts. False positives are accepted on purpose: answers to such questions only stay out of the cache.
import { fold } from '@mangaassist/bookseller/text/words'

/** Five digits or more in any grouping: telephone number, post code, order, card, birthday. */
const LONG_NUMBER = /\d(?:[\p{Pd}−.,/・ ()]{0,2}\d){4,}/gu
/** Prices, which are removed first because they are not personal. */
const PRICE =
  /(?<![\d.,\p{Pd}−])(?:\d{1,3}(?:,\d{3})+|\d{1,6})\s?(?:円|yen|jpy|ポイント|points?\b)|[¥$]\s?(?:\d{1,3}(?:,\d{3})+|\d{1,6})(?![\d,\p{Pd}−])/gu

const PATTERNS: readonly RegExp[] = [
  /[^\s@<>()（）「」、。]{1,64}@[^\s@<>()（）「」、。]{1,255}/gu,
  /\b(?:https?:\/\/|www\.)\S+/gu,
  // Letters and digits in one word, as in ids and vouchers.
  /(?<![\p{L}\p{N}_-])(?=[a-z0-9_-]*\d)(?=[a-z0-9_-]*[a-z])[a-z0-9][a-z0-9_-]{5,}(?![\p{L}\p{N}])/gu,
  /〒|\d+丁目|\d+番地|[都道府県][^\s、。]{1,8}[市区郡町村]/gu,
  /\b\d+\s+(?:\p{L}+\s+){1,3}(?:street|st|road|rd|avenue|ave|lane|boulevard|blvd|drive)\b/gu,
  /\b(?:my name|my names|i am called|call me|i'm called)\b/gu,
  // Substrings on purpose: Japanese has no spaces, and a false positive does no harm.
  /と申します|といいます|と言います|という者|の名前|名義|氏名|本名/gu,
  /(?<![模多同])様(?![々子式相])/gu,
]

/**
 * An introduction by name (「山田太郎です。」), relatives and friends, and illnesses. Only for questions: synopses of manga are full
 * of such words.
 */
const OWN_LIFE: readonly RegExp[] = [
  /^[\p{Script=Han}\p{Script=Katakana}ー・]{2,10}(?:です|と申|ともうし)(?:が|けど)?[。、,\s]/u,
  /\b(?:my|our)\s+(?:\p{L}+[\s-]){0,3}?(?:sons?|daughters?|child(?:ren)?|kids?|bab(?:y|ies)|wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|mother|father|mum|mom|dad|parents?|grand\p{L}+|brothers?|sisters?|niece|nephew|aunt|uncle|cousins?|twins?|friends?|boss|teacher|patients?|students?)\b/u,
  /(?:息子|娘|長男|長女|次男|次女|妻|嫁|夫|旦那|主人|彼氏|彼女|恋人|婚約者|母親?|父親?|お母さん|お父さん|両親|祖母|祖父|おばあちゃん|おじいちゃん|孫|甥|姪|姉|妹|兄|弟|うちの子|我が子|子ども|子供|上司|同僚|友達|友人)(?:が|は|の誕生|に(?:贈|あげ|プレ|買)|へ|と(?:一緒|読)|も)|(?:息子|娘|妻|夫)、/u,
  /\b(?:cancer|tumou?r|depress(?:ed|ion)|anxiety|bipolar|autis(?:m|tic)|adhd|dementia|alzheimer\S*|diabet(?:es|ic)|hiv|aids|pregnan(?:t|cy)|miscarriage|disab(?:led|ility)|hospitali[sz]ed|in hospital|chemo\p{L}*|suicid(?:e|al)|ptsd|diagnosed|insomnia|addict(?:ed|ion))\b|うつ病?|鬱|がん(?:で|の|に|と|を)|癌|病気|入院|手術|障害|妊娠|流産|認知症|糖尿病|不登校|引きこもり|ひきこもり|発達障|自閉症|余命|闘病|不眠|依存症|診断され/u,
]

/** Things that belong to a person. Whole phrases, because a "reading order" is not an order. */
const OWN_THINGS =
  /\b(?:my|our|mine)\s+(?:\p{L}+\s+){0,2}(?:orders?|packages?|parcels?|deliver(?:y|ies)|shipments?|accounts?|address(?:es)?|cards?|payments?|purchases?|invoices?|receipts?|refunds?|returns?|points?|passwords?|phones?|e-?mails?|subscriptions?|memberships?)\b|\b(?:order|tracking|card|member(?:ship)?|account|phone|invoice)\s+(?:no|number|id|code)\b|\borders?\s+(?:no\.?\s?|#\s?)?[a-z]{0,4}-?\d+|\bi\s+(?:\p{L}+\s+){0,2}(?:ordered|bought|purchased|paid|received|returned)\b|\bpasswords?\b|\blog(?:ged)?\s?in\b/gu
const OWN_THINGS_JA =
  /(?:注文|会員|電話|追跡|伝票|カード|口座|受付|予約)(?:の)?番号|(?:私|わたし|僕|ぼく|俺|おれ|自分|うち)の(?:注文|荷物|商品|本|住所|アカウント|カード|ポイント|名前|会員)|注文[\s#a-z-]{0,5}\d|荷物が|残高|会員ランク|注文した|購入した|買ったやつ|買った(?:本|商品|もの)|支払った|届きません|届かない|届いてい?ない|パスワード|ログイン|マイページ|アカウント|住所|電話番号|メールアドレス|生年月日/gu

/** All matches, folded, in no particular order; empty when there are none. */
export function personalIn(text: string): readonly string[] {
  const folded = fold(text).replaceAll('’', "'")
  const numbers = [...folded.replaceAll(PRICE, '円').matchAll(LONG_NUMBER)]
  const others = [...PATTERNS, OWN_THINGS, OWN_THINGS_JA].flatMap((pattern) => [...folded.matchAll(pattern)])
  return [...numbers, ...others, ...ownNames(text)].map(([found]) => found)
}

/** Whether a question mentions the shopper's own life, so that its answer must not be shared. */
export function mentionsOwnLife(question: string): boolean {
  const folded = fold(question).replaceAll('’', "'")
  return OWN_LIFE.some((pattern) => pattern.test(folded))
}

/** "I'm Taro", but not "I'm looking for": only the capital letter distinguishes them, so the text is not folded. */
function ownNames(text: string): readonly RegExpExecArray[] {
  return [...text.normalize('NFKC').matchAll(/\bI(?:['’]m| am) (?=\p{Lu})\p{L}+/gu)]
}
