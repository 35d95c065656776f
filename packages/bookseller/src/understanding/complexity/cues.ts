// The words by which the rules of `floor.ts` tell a plain message from one that has to be weighed. A complex cue is a
// kind of word, not a single one: 「比較」 and 「比べて」 in one message are one cue.
import type { Language } from '@mangaassist/protocol'

export type CueWords = Readonly<Record<Language, readonly string[]>>

/** English words are matched as words of their own, Japanese ones wherever they stand. All in small letters. */
export const SIMPLE_CUES: CueWords = {
  ja: [
    'こんにちは',
    'こんばんは',
    'おはよう',
    'はじめまして',
    'ありがと',
    'どうも',
    'さようなら',
    'はい',
    'いいえ',
    'うん',
    'ok',
    '了解',
    'お願いします',
    'いくら',
    '値段',
    '何円',
    '在庫',
    'ありますか',
    '売ってる',
    '何巻',
    '完結',
    '作者',
    '送料',
    '支払い',
    '返品',
    '営業時間',
    '注文',
    'カートに',
  ],
  en: [
    'hi',
    'hello',
    'hey',
    'thanks',
    'thank you',
    'thx',
    'bye',
    'yes',
    'yeah',
    'yep',
    'no',
    'nope',
    'ok',
    'okay',
    'sure',
    'how much',
    'price',
    'in stock',
    'do you have',
    'do you sell',
    'how many volumes',
    'finished',
    'who wrote',
    'author',
    'shipping',
    'payment',
    'return',
    'opening hours',
    'my order',
    'add to cart',
  ],
}

interface ComplexCue {
  readonly kind: string
  readonly words: CueWords
}

export const COMPLEX_CUES: readonly ComplexCue[] = [
  {
    kind: 'comparison',
    words: {
      ja: ['比較', '比べ', '違いは', '違いを', 'どう違う', '何が違う'],
      en: ['compare', 'compared', 'comparing', 'comparison', 'difference between', 'differences between', 'differ'],
    },
  },
  {
    kind: 'reasons',
    words: {
      ja: ['理由', 'なぜ', '根拠', '長所', '短所', 'メリット', 'デメリット'],
      en: ['why', 'reason', 'reasons', 'explain', 'pros and cons', 'trade-off', 'trade-offs', 'justify'],
    },
  },
  {
    kind: 'dilemma',
    words: {
      ja: ['迷って', '迷う', '決められ', '決めかね', '矛盾'],
      en: ['torn between', "can't decide", 'cannot decide', 'hard to choose', 'conflicting', 'on the other hand'],
    },
  },
  {
    kind: 'order',
    words: {
      ja: ['読む順', '順番に', 'どの順', 'どれから読'],
      en: ['reading order', 'which order', 'what order', 'in order to read'],
    },
  },
  {
    kind: 'exception',
    words: {
      ja: ['ただし', 'ただ、', '場合は', 'は除いて', 'を除いて'],
      en: ['except', 'unless', 'as long as', 'with the exception', 'but only if', 'excluding'],
    },
  },
  {
    kind: 'several',
    words: {
      ja: ['それぞれ', 'あとそれから', 'もう一つ質問', '二つ質問', '三つ質問', 'ついでに'],
      en: ['each of them', 'respectively', 'two questions', 'three questions', 'several questions', 'a few questions'],
    },
  },
]
