// Recognises the name of a series that we do not have, so that the answer can say so instead of offering others without
// a word. It is cautious: it checks only sentences that ask about one series by its name.
import { CUES } from './cues.ts'
import type { Utterance } from './utterance.ts'
import { GENRES, MOODS, READERSHIPS } from './vocabulary.ts'

const entries = [GENRES, MOODS, READERSHIPS].flatMap((vocabulary) => Object.values(vocabulary))
const KNOWN = new Set(
  [
    ...entries.flatMap(({ label, synonyms }) => [label.ja, label.en, ...synonyms.ja, ...synonyms.en]),
    ...Object.values(CUES).flat(),
  ]
    .flatMap((phrase) => phrase.toLowerCase().split(/[\s-]/u))
    .concat(
      'シリーズ、キャラクター、ストーリー、コミック、コミックス、タイトル、プレゼント、ポイント、アニメ化、ランキング、アシスタント、'
        .concat(
          'キャンセル、クーポン、ハッピーエンド、バッドエンド、イラスト、ジャンル、ヒロイン、スポーツ、ファンタジー、プログラミング、',
        )
        .concat(
          'クレジットカード、コンビニ、オンライン、ラノベ、ライトノベル、サイズ、カバー、スペイン語、フランス語、パソコン、スマホ',
        )
        .split('、'),
    )
    .concat(
      'i,a,an,the,english,japanese,japan,tokyo,paypay,visa,mastercard,amazon,christmas,ok,sf,sci,fi,bl,gl,tv,ai,us,usa,uk,eu'.split(
        ',',
      ),
    ),
)

const KATAKANA_NAME =
  /(?<![\p{Script=Katakana}ー・])([\p{Script=Katakana}ー・]{4,})(?=は|って|の(?:在庫|値段|価格|あらすじ|作者|ような)|みたい|っぽい|に似|が好き|を(?:買|注文|探)|と|ある|あり|いくら|、|\?)/gu
const QUOTED = /[『「]([^』」]{2,30})[』」]/u
const FRAME_JA =
  /みたい|っぽい|ような|似た|似て|好き|いくら|値段|在庫|あらすじ|どんな|完結|連載|何巻|作者|ありますか|ある\?|置いて|売って|買い|注文|比べ|どっち|どちら|違い/u
const FRAME_EN =
  /\b(?:like|similar to|fan of|enjoyed|loved|compare|vs|versus|do you (?:have|sell|carry|stock)|how much|in stock|available|tell me about|what(?:'s| is)|who (?:wrote|drew)|buy|order|finished|complete|completed|ongoing|author of|volumes?|price)\b/u

/** `rest` is the message with its capitals, and with our own titles blanked. */
export function containsUnknownName(rest: string, utterance: Utterance): boolean {
  if (FRAME_JA.test(utterance.folded)) {
    if (QUOTED.test(rest)) return true
    const runs = [...utterance.folded.matchAll(KATAKANA_NAME)].map((match) => match[1] ?? '')
    if (runs.some((run) => !KNOWN.has(run))) return true
  }
  return FRAME_EN.test(utterance.folded) && capitalised(rest).length > 0
}

function capitalised(rest: string): readonly string[] {
  const sentences = rest.split(/[.!?:]\s+/u)
  return sentences.flatMap((sentence) => {
    const words = sentence.trim().match(/[\p{L}\p{N}'’-]+/gu) ?? []
    const isCapital = (word: string) => /^\p{Lu}\p{Ll}/u.test(word) && !/^I['’]/u.test(word)
    // In a sentence where every word has a capital, a capital means nothing.
    if (words.every((word) => /^[\p{Lu}\p{N}]/u.test(word))) return []
    return words.slice(1).filter((word) => isCapital(word) && !KNOWN.has(word.toLowerCase()))
  })
}
