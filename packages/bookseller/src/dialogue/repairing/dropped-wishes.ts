// Wishes that a message drops by name: "scratch the samurai", 「野球はもうええわ」, 「スポーツというより」. They are wished for no more, and
// are not disliked either.
import { fold } from '../../text/words.ts'
import type { Aspect } from '../../understanding/reading.ts'

const DROPPED_BEFORE =
  /\b(?:scratch|forget(?: about)?|drop|ditch|enough (?:of|with)|no more|never mind|instead of|rather than|tired of|had enough of)\s+(?:(?:the|all|that|this|any|those)\s+)*$/iu
const DROPPED_AFTER =
  /^(?:もの|もん|系|モノ|漫画|マンガ|とか)?(?:という?よりも?|じゃなくて|ではなく(?:て)?|やのうて|(?:は|も)?(?:もう|やっぱり?|ちょっと)*(?:いいや|いいです|いいわ|ええわ|ええです|やめ(?:て|と|ま|る)|結構|けっこう|いらん|いらない|要らない|いなくていい|なくていい))/u

export function withoutDropped(want: readonly Aspect[], message: string): readonly Aspect[] {
  const words = fold(message)
  return want.filter(({ text }) => !isDropped(words, fold(text)))
}

function isDropped(words: string, name: string): boolean {
  for (let from = words.indexOf(name); from >= 0 && name !== ''; from = words.indexOf(name, from + 1)) {
    if (DROPPED_BEFORE.test(words.slice(0, from)) || DROPPED_AFTER.test(words.slice(from + name.length))) return true
  }
  return false
}
