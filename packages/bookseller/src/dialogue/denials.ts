// Dislikes in plain words that were not recognised: 「怖いのはだめ」, "no horror". Only words of the catalogue's vocabulary
// count, because a dislike excludes series.
import { aspectOf } from '../understanding/aspects.ts'
import type { Aspect, Reading } from '../understanding/reading.ts'
import { isKeyed } from './conditions.ts'

const DENIED: readonly RegExp[] = [
  /([\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]{1,8}?)(?:の|もの|系|描写|シーン|要素|話)*(?:は|が|も|とか)?(?:絶対に?|ちょっと|少し)?(?:だめ|ダメ|駄目|NG|苦手|無理|嫌|いや|いらない|抜き|なしで|避けたい)(?!い?じゃな|い?ではな)/giu,
  /\b(?:no|not|without|nothing|avoid|hates?|dislikes?|don[’']?t (?:like|want)|can[’']?t stand|anything but) (?:any |too |so |really |more )*([a-z][a-z -]{2,20}?)(?=[.,!?;]|$| please| stuff| things| stories| and| or| but| manga)/giu,
]

export function withDenials(reading: Reading, words: string): Reading {
  const denied = DENIED.flatMap((pattern) => [...words.matchAll(pattern)].map(([, text = '']) => aspectOf(text)))
  const missed = denied.filter((aspect) => isKeyed(aspect) && !reading.avoid.some((known) => overlaps(known, aspect)))
  if (missed.length === 0) return reading
  const isDenied = (aspect: Aspect) => missed.some((one) => one.text.includes(aspect.text))
  return {
    ...reading,
    avoid: [...reading.avoid, ...missed],
    want: reading.want.filter((aspect) => !isDenied(aspect)),
  }
}

const overlaps = (a: Aspect, b: Aspect): boolean =>
  [...a.genres, ...a.moods, ...a.content].some((key) => [...b.genres, ...b.moods, ...b.content].includes(key))
