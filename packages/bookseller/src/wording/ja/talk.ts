// Small talk, questions back, and follow-ups in Japanese.
import type { Suggestion } from '../../dialogue/state.ts'
import { fittingLabel } from '../fitting-label.ts'
import type { LineOf, FollowUp, Wording } from '../lines.ts'
import { notedInJapanese } from './picks.ts'
import type { Part } from '../lines.ts'
import { japanese } from './words.ts'

const { titles } = japanese

const TALK: Readonly<Record<LineOf<'talk'>['topic'], readonly string[]>> = {
  greet: [
    'いらっしゃいませ。どんな漫画をお探しですか？',
    'こんにちは。今日はどんな気分の一冊にしましょうか？',
    'ようこそ。お好きな作品をひとつ教えていただけますか？',
  ],
  thanks: [
    'どういたしまして。また気になる作品があれば、いつでもどうぞ。',
    'お役に立ててうれしいです。どうぞよい読書を。',
    'こちらこそありがとうございます。',
  ],
  resolved: [
    'お手数をおかけします。早く解決しますように。ほかにもありましたら、いつでもどうぞ。',
    'こちらこそ、お待たせしてすみません。また何かあれば声をかけてください。',
  ],
  bye: ['ありがとうございました。またのお越しをお待ちしています。', 'それでは、よい読書を。またいつでもどうぞ。'],
  identity: [
    '私はこの書店のAIの案内係で、人ではありません。スタッフとお話しになりたいときは、[サポート窓口](/support)へどうぞ。',
    '人ではなく、AIの案内係です。棚にある作品のことと、お店のご案内ができます。',
  ],
  help: [
    '作品探し、うろ覚えのあらすじからの特定、価格や巻数、作品どうしの比較、送料や返品のご案内ができます。どんな漫画をお探しですか？',
    '「〇〇みたいで怖くないもの」「全巻で5,000円以内」のように話しかけてください。ご注文の確認だけは[サポートページ](/support)でお願いします。',
  ],
  language: [
    'はい、これからは日本語でお答えします。どんな漫画をお探しですか？',
    '日本語でご案内しますね。何をお探しですか？',
  ],
  smalltalk: [
    'すみません、それは専門外です。漫画のことならお手伝いできますよ。今はどんな話が読みたいですか？',
    'すみません、私がくわしいのは漫画だけです。気分に合う一冊をお選びしましょうか？',
    'あいにく漫画とお買い物のことしかわかりません。読みたい雰囲気はありますか？',
  ],
  abuse: [
    'お力になれず、すみません。漫画やお買い物のことでしたらお手伝いしますし、ご不満な点は[サポート窓口](/support)でスタッフがうかがいます。',
    'ご期待に沿えず、すみません。お困りのことがありましたら、ひと言教えてください。[サポート窓口](/support)のスタッフにもご相談いただけます。',
    'そのお話にはお応えできませんが、漫画のことでしたらいつでもどうぞ。スタッフは[サポート窓口](/support)におります。',
  ],
  forgiven: [
    'いえいえ、どうぞお気になさらないでください。何かお探ししましょうか？',
    'とんでもないです。お手伝いできることはありますか？',
  ],
  distress: [
    'とてもおつらいのですね。私は書店の案内役にすぎませんが、どうかひとりで抱えず、今すぐ身近な方や相談窓口（よりそいホットライン 0120-279-338、24時間・無料）に話してみてください。',
    'お話ししてくださってありがとうございます。危ないと感じたら119番へ、話を聞いてほしいときは「いのちの電話」などの相談窓口へ、どうか今すぐ連絡してください。',
  ],
  unclear: [
    'すみません、うまくつかめませんでした。作品探しのほか、送料やお支払い、返品のご案内もできますが、どのようなことでしょうか？',
    'もう少し教えてください。作品のことでしょうか、それともご注文やお店のことでしょうか？',
    'ごめんなさい、別の言い方で教えていただけますか？作品名や読みたい雰囲気、お店へのご質問、どれでも大丈夫です。',
  ],
  declined: [
    'わかりました。では、どんなところを変えましょうか？',
    '承知しました。ほかに読みたい雰囲気はありますか？',
    'かしこまりました。必要なときにまた声をかけてください。',
  ],
  noted: ['どんなお話が好きな方ですか？', '最近楽しんでいた作品はありますか？'],
}

export const JA_TALK: Part<Wording, 'ask' | 'talk'> = {
  ask: ({ what, among }) => {
    if (what === 'taste')
      return [
        '最近おもしろかった作品をひとつ教えていただけますか？',
        '笑えるもの、泣けるもの、ハラハラするもの、どんな気分でしょうか？',
      ]
    if (among.length > 1)
      return [
        `どの作品のことでしょうか？${titles(among.slice(0, 3), '、')}のどれかを教えてください。`,
        `${titles(among.slice(0, 3), '、')}のうち、どれのことですか？`,
      ]
    return ['どの作品のことでしょうか？', '作品名を教えていただけますか？']
  },
  talk: ({ topic, noted: news }) => {
    const lead = topic === 'noted' ? notedInJapanese(news) || 'わかりました。' : ''
    return TALK[topic].map((text) => `${lead}${text}`)
  },
}

export function followUpInJapanese(offer: FollowUp): Suggestion {
  switch (offer.offer) {
    case 'similar':
      return {
        label: `『${offer.product.title.ja}』に似た作品`,
        message: `『${offer.product.title.ja}』に似た作品を教えて`,
      }
    case 'synopsis':
      return {
        label: `『${offer.product.title.ja}』のあらすじ`,
        message: `『${offer.product.title.ja}』のあらすじを教えて`,
      }
    case 'total':
      return { label: '全巻そろえるといくら？', message: `『${offer.product.title.ja}』は全巻そろえるといくら？` }
    case 'works':
      return { label: '同じ作者のほかの作品', message: `『${offer.product.title.ja}』の作者のほかの作品は？` }
    case 'buy':
      return { label: `『${offer.product.title.ja}』を買う`, message: `『${offer.product.title.ja}』を買いたい` }
    case 'audience':
      return { label: 'どんな人向け？', message: `『${offer.product.title.ja}』はどんな人におすすめ？` }
    case 'compare': {
      const [a, b] = offer.products.map(({ title }) => `『${title.ja}』`)
      const message = `${a}と${b}の違いは？`
      return { label: fittingLabel(message, '最初の2作品の違いは？'), message }
    }
    case 'others':
      return { label: 'ほかの作品も見る', message: 'ほかの作品も教えて' }
    case 'cheaper':
      return { label: 'もっと安いもの', message: 'もっと安いのはある？' }
    case 'shorter':
      return { label: 'もっと短いもの', message: 'もっと短いのはある？' }
    case 'finished':
      return { label: '完結しているもの', message: '完結している作品がいい' }
    case 'relax-budget':
      return { label: '予算は気にしない', message: '予算は気にしないで探して' }
    case 'funny':
      return { label: '笑える作品', message: '笑える漫画を教えて' }
    case 'moving':
      return { label: '泣ける作品', message: '泣ける漫画を教えて' }
    case 'short-finished':
      return { label: '10巻以内で完結', message: '10巻以内で完結している漫画を教えて' }
    case 'for-child':
      return { label: '子ども向け', message: '10歳の子どもが読める漫画を教えて' }
    case 'shipping':
      return { label: '送料は？', message: '送料はいくらですか' }
    case 'returns':
      return { label: '返品について', message: '返品できますか' }
    case 'person':
      return { label: 'スタッフに連絡する', message: 'スタッフと話したい' }
    case 'tracking':
      return { label: '荷物の追跡', message: '荷物の追跡方法を教えてください' }
  }
}
