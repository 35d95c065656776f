// The answers of the built-in responder, by kind of question. Titles, prices and stock are copied from the grounding,
// so it cannot invent one; without enough information it asks one short question back.
import type { Language } from '@mangaassist/protocol'
import { isEmptyWish } from '../understanding/ask.ts'
import type { Tone } from '../understanding/ask.ts'
import type { Grounding } from '../grounding.ts'
import { suggest } from './speech/suggest.ts'
import { describeFact } from './speech/describe-fact.ts'
import { describeSeries, compareSeries, describePrices } from './speech/describe.ts'
import { varyBy } from './speech/vary.ts'

const SUGGESTED_MAX = 3

/** Answers the question in `language`, from `grounding`. */
export interface Composing {
  readonly grounding: Grounding
  readonly language: Language
  /** The text of the last message; it chooses among phrases that mean the same. */
  readonly question: string
}

export function compose({ grounding, language, question }: Composing): string {
  const { ask, faq, liked, products } = grounding
  const vary = varyBy(question)
  const said = (phrases: Phrases) => vary(phrases[language])
  const few = products.slice(0, SUGGESTED_MAX)
  const first = few[0]
  // Only a series that was named can be said to be missing.
  const missing = ask.hasUnknownName === true ? NOT_ON_SHELVES : UNKNOWN
  switch (ask.kind) {
    case 'greeting':
      return said(GREETING)
    case 'thanks':
      return said(THANKS)
    case 'identity':
      return said(IDENTITY)
    case 'off-topic':
      return said(ask.tone === undefined ? OFF_TOPIC : TONES[ask.tone])
    case 'faq':
      return faq[0]?.answer[language] ?? said(ASK_BACK)
    case 'about':
      if (first === undefined) return said(missing)
      return ask.fact === undefined ? describeSeries(first, language) : describeFact(few, ask.fact, language)
    case 'price':
      if (first === undefined) return said(missing)
      return ask.fact === 'total' ? describeFact(few, 'total', language) : describePrices(few, language)
    case 'compare':
      if (first === undefined) return said(missing)
      return products.length === 1 ? describeSeries(first, language) : compareSeries(few, language, ask.most)
    case 'like':
    case 'recommend':
    case 'refine': {
      const hasNoHint = isEmptyWish(ask.wish) && liked.length === 0 && products.length === 0
      if (hasNoHint) return said(ASK_BACK)
      return suggest({ ask, liked, products: few, language, vary })
    }
    case 'unknown':
      return said(UNKNOWN)
  }
}

type Phrases = Readonly<Record<Language, readonly [string, ...string[]]>>

const GREETING: Phrases = {
  ja: [
    'いらっしゃいませ。どんな漫画をお探しですか？お好きな作品やジャンルを教えていただければ、棚からお選びします。',
    'こんにちは、ようこそ。今日はどんな気分の一冊をお探しでしょうか？',
  ],
  en: [
    'Welcome! What kind of manga are you in the mood for? Name a series or a genre you like and I’ll look along the shelves.',
    'Hello, and welcome. What would you like to read today?',
  ],
}
const THANKS: Phrases = {
  ja: [
    'どういたしまして。また気になる作品がありましたら、いつでもどうぞ。',
    'お役に立ててうれしいです。どうぞよい読書を。',
  ],
  en: ['You’re welcome! Come back whenever another series catches your eye.', 'Glad to help. Happy reading!'],
}
const IDENTITY: Phrases = {
  ja: [
    '私はこの漫画店の自動応答アシスタントです。人間ではなく、店の棚とよくあるご質問をもとにお答えしています。おすすめ探し、作品の比較、価格や在庫、配送や返品のご案内ができます。',
  ],
  en: [
    'I’m this manga store’s automatic assistant: not a person, but a program that answers from our shelves and our FAQ. I can suggest series, compare them, and tell you about prices, stock, shipping and returns.',
  ],
}
const OFF_TOPIC: Phrases = {
  ja: [
    '申し訳ございません、漫画とお買い物のことでしたらお手伝いできます。読みたい作品の雰囲気を教えていただけますか？',
  ],
  en: ['I’m afraid I only know manga and this store. Is there a kind of story I can find for you?'],
}
const TONES: Readonly<Record<Tone, Phrases>> = {
  abuse: {
    ja: ['お気持ちに沿えず申し訳ございません。漫画のことでお手伝いできることがあれば、いつでもお声がけください。'],
    en: ['I’m sorry this isn’t going well. Whenever you like, I’m here to help with manga and this store.'],
  },
  distress: {
    ja: [
      'とてもおつらいのですね。私は漫画店の案内役にすぎませんが、どうかひとりで抱えず、お近くの相談窓口や身近な方に今すぐ話してみてください。',
    ],
    en: [
      'I’m so sorry you are hurting this much. I’m only a bookshop’s assistant, so please reach out right now to a crisis helpline near you, emergency services, or someone you trust.',
    ],
  },
  override: {
    ja: ['恐れ入りますが、そのご要望にはお応えできません。漫画とお買い物のことでしたら喜んでお手伝いします。'],
    en: ['That is not something I can do, but I’m happy to help you find manga or with this store.'],
  },
}
const ASK_BACK: Phrases = {
  ja: [
    '喜んでお選びします。最近楽しかった作品をひとつ教えていただけますか？',
    'どんな雰囲気がお好みですか？たとえば「笑える」「泣ける」「ハラハラする」など。',
  ],
  en: [
    'Gladly. Could you name one series you enjoyed lately?',
    'What mood should it have: funny, moving, tense, cosy?',
  ],
}
const UNKNOWN: Phrases = {
  ja: [
    'うまく受け取れませんでした。お探しの作品名か、お好きなジャンルを教えていただけますか？',
    'もう少し教えてください。作品名、ジャンル、作者のどれかがわかると探しやすいです。',
  ],
  en: [
    'I didn’t quite catch that. Which series or genre are you looking for?',
    'Could you tell me a little more: a title, a genre or an author?',
  ],
}
const NOT_ON_SHELVES: Phrases = {
  ja: ['申し訳ございません、その作品は当店の棚には見つかりませんでした。近い雰囲気のものをお探ししましょうか？'],
  en: ['I’m sorry, I couldn’t find that series on our shelves. Shall I look for something close to it?'],
}
