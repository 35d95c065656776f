// A request for another reader, or with another series to start from: what the earlier request said of its own reader or series
// does not hold for it. 「10歳の甥っ子にプレゼントしたい」 leaves the series that the shopper likes, and "something like Spy x Family" leaves
// the nephew with his age and budget. Words that refer to the same reader ("he likes Naruto") keep them.
import { fold } from '../../text/words.ts'
import type { Limits, Reading } from '../../understanding/reading.ts'
import type { Conditions } from '../conditions.ts'
import { pointsAtList } from './new-request.ts'

const GIFT =
  /プレゼント|贈[りる]|ギフト|手土産|[にへ](?:あげ|渡し)た|お(?:土産|みやげ)|\b(?:gifts?|birthday present|presents? for)\b/iu
/** People of whom a shopper has one or a few; 「大人」 and "beginners" are kinds of readers. */
const PERSON =
  /[甥姪兄弟姉妹父母夫妻孫]|おいっ子|めいっ子|いとこ|従[兄弟姉妹]|息子|むすこ|娘|むすめ|パパ|ママ|お[父母]さん|おじ|おば|祖[父母]|両親|旦那|嫁|奥さん|彼氏|彼女|恋人|友人|友達|友だち|ともだち|同僚|上司|先輩|後輩|部下|恩師|\b(?:nephews?|nieces?|brothers?|sisters?|sons?|daughters?|grand(?:son|daughter|child|children|ma|pa|mother|father)|mum|mom|dad|mother|father|parents?|aunt|uncle|cousins?|husband|wife|partner|boyfriend|girlfriend|friends?|colleagues?|co-?workers?|boss|roommate|flatmate|neighbou?rs?|god(?:son|daughter|child))\b/iu
/** The reader of the earlier request, by another word. */
const SAME_READER =
  /その[子人]|あの[子人]|本人|彼(?!氏|女)|彼女(?=が|は|も|に)|\b(?:he|she|they|him|her|them|his|their)(?:['’]\w+)?\b/iu
/** Changes something of the earlier request, or states that it still holds. */
const KEEPS = /同じ|条件|そのまま|より|[替換変]え|やっぱり|\b(?:same|instead|still|conditions?)\b/iu
/** Wants series that are like one that is named. */
const LIKE_SERIES =
  /みたい|のよう[なに]|っぽ[いく]|に似た|に似て|に近い|系(?:の|で)|\b(?:something|anything|series|manga|comics?|titles?|books?|stories|story|ones?|stuff|more)\b.{0,24}?\b(?:like|similar to|along the lines of|in the vein of)\b|^(?:like|similar to)\b/iu

const OF_READER: readonly (keyof Limits)[] = ['age', 'totalYenMax', 'volumeYenMax', 'volumeYenMin']

/** Whether the message asks for another reader than the request before it. */
export function isForOther(
  { act, audience, referents }: Reading,
  { audience: earlier }: Conditions,
  message: string,
): boolean {
  const words = message.normalize('NFKC')
  if (act !== 'recommend' || referents.length > 0 || pointsAtList(words)) return false
  if (SAME_READER.test(words) || KEEPS.test(words)) return false
  if (audience === undefined) return earlier === undefined && GIFT.test(words)
  return (GIFT.test(words) || PERSON.test(audience)) && !isSameReader(audience, earlier)
}

function isSameReader(audience: string | undefined, earlier: string | undefined): boolean {
  if (audience === undefined || earlier === undefined) return false
  const [now, before] = [fold(audience), fold(earlier)]
  return now.includes(before) || before.includes(now)
}

/** Whether the message names another series that suggestions should be like. */
export function isFromOther({ act, series }: Reading, { like }: Conditions, message: string): boolean {
  const named = series.flatMap(({ role, id }) => (role === 'like' && id !== undefined ? [id] : []))
  const words = message.normalize('NFKC')
  return (
    (act === 'recommend' || act === 'title') &&
    named.some((id) => !like.includes(id)) &&
    LIKE_SERIES.test(words) &&
    !SAME_READER.test(words) &&
    !pointsAtList(words)
  )
}

/** The conditions of the earlier request that hold for this one. */
export function withoutOtherRequest(before: Conditions, reading: Reading, message: string): Conditions {
  const isForAnother = isForOther(reading, before, message)
  const isFromAnother = isFromOther(reading, before, message)
  const { audience, ...others } = before
  // A budget that was stated for no reader is the shopper's own.
  const isOfReader =
    audience !== undefined && (isForAnother || (isFromAnother && !isSameReader(reading.audience, audience)))
  const kept = isOfReader ? { ...others, limits: withoutReader(before.limits) } : before
  // The other wishes belong to the series or the reader that they were stated with.
  const isOtherWish = isFromAnother || (isForAnother && (before.like.length > 0 || audience !== undefined))
  return isOtherWish ? { ...kept, want: [], like: [], by: [], publishedIn: [] } : kept
}

const withoutReader = (limits: Limits): Limits =>
  Object.fromEntries(Object.entries(limits).filter(([name]) => !OF_READER.some((own) => own === name)))
