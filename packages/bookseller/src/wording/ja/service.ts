// Buying, orders, complaints and persons in Japanese: sorry where it is due, the right way, and nothing that cannot be used.
import type { LineOf, Wording } from '../lines.ts'
import { withSupportLinks } from '../link.ts'
import type { Part } from '../lines.ts'
import { namedInJapanese } from './naming.ts'
import { japanese } from './words.ts'

const { length, reason, title, titles, yen } = japanese

const DESK = '[サポートページ](/support)'
const withNumber = (orderId: string | undefined): string =>
  orderId === undefined ? '' : `その際は注文番号「${orderId}」をお伝えください。`

const SORRY: Readonly<Record<LineOf<'sorry'>['grievance'], readonly [string, string]>> = {
  late: ['お待たせしてしまい、本当に申し訳ございません。', 'お届けが遅れておりますこと、心よりおわび申し上げます。'],
  damaged: ['そのような本をお届けしてしまい、申し訳ございません。', 'ご不快な思いをさせてしまい、おわび申し上げます。'],
  wrong: ['違う商品が届いたとのこと、申し訳ございません。', 'お品物の取り違えがあり、おわび申し上げます。'],
  missing: ['届いていないものがあるとのこと、申し訳ございません。', '不足があり、ご迷惑をおかけしております。'],
  charge: [
    'ご請求のことでご心配をおかけし、申し訳ございません。お支払いの内容は私からは見られません。',
    'お支払いに手違いがあったとのこと、おわび申し上げます。この場では確認できず、すみません。',
  ],
  answer: [
    '見当違いなお答えをしてしまい、申し訳ございません。どんな作品をお探しか、もう一度教えていただけますか？',
    'お役に立てず、すみません。好きな作品か、避けたいものをひとつ教えていただけますか？',
  ],
  other: ['ご不便をおかけして、申し訳ございません。', 'ご迷惑をおかけし、おわび申し上げます。'],
}

/** After an apology: what is done about it. */
const AGAIN: readonly [string, string] = [
  'おっしゃるとおりです。私からはご注文を確認できませんが、スタッフがお調べして対応いたします。',
  'この件は、ご注文を確認できるスタッフが責任をもって対応いたします。',
]

const ORDERS: Readonly<Record<LineOf<'order'>['topic'], readonly [string, string]>> = {
  status: [
    'このチャットからはご注文の状況を見ることができません。',
    'お荷物のことですね。私からはご注文を確認できないのですが、次の方法があります。',
  ],
  change: ['ご注文の変更は、このチャットではできません。', '変更のお手続きは、スタッフが承ります。'],
  cancel: [
    'キャンセルの手続きは、このチャットではできません。',
    'キャンセルのご希望ですね。お手続きはスタッフが承ります。',
  ],
  refund: ['返品や返金の手続きは、このチャットではできません。', '返品・返金のご相談ですね。スタッフがご案内します。'],
}

const policyText = withSupportLinks

export const JA_SERVICE: Part<
  Wording,
  'chosen' | 'buy' | 'buy-what' | 'sold-out' | 'corrected' | 'order' | 'sorry' | 'person' | 'faq'
> = {
  chosen: ({ product, reason: why }) => [
    `${title(product)}ですね。${reason(why)}${length(product)}、1巻${yen(product.pricePerVolumeYen)}です。ご注文は作品ページのボタンからどうぞ。`,
    `いい選択だと思います。${title(product)}は${length(product)}、1巻${yen(product.pricePerVolumeYen)}です。作品ページからご購入いただけます。`,
  ],
  buy: ({ products, volume }) => {
    const what = volume === undefined ? titles(products) : `${titles(products)}の${volume}巻`
    return [
      `ありがとうございます。このチャットではご注文を承れないので、${what}の作品ページにある購入ボタンからお進みください。`,
      `${what}は、作品ページの購入ボタンからご注文いただけます。`,
    ]
  },
  'buy-what': () => [
    'ご注文は各作品のページにある購入ボタンからどうぞ。どの作品をお求めですか？',
    '購入の手続きは作品ページからできます。お求めの作品名を教えていただけますか？',
  ],
  'sold-out': ({ product, isAgain }) => {
    const { wa } = namedInJapanese(product, isAgain)
    return [
      `ただ、${wa}今、在庫を切らしています。似た作品をお探ししましょうか？`,
      `申し訳ございません、${wa}ただいま在庫切れです。近い作品をご紹介しましょうか？`,
    ]
  },
  corrected: () => ['失礼しました。', '失礼いたしました。'],
  order: ({ topic, policy, orderId }) =>
    ORDERS[topic].map((text) => `${text}${policyText(policy) || `詳しくは${DESK}へどうぞ。`}${withNumber(orderId)}`),
  sorry: ({ grievance, policy, contact, orderId, isAgain }) => {
    if (grievance === 'answer') return SORRY.answer
    const way = [
      `スタッフへは${DESK}か${contact}からご連絡いただけます。`,
      `${DESK}、または${contact}でスタッフが承ります。`,
    ]
    const opening = isAgain ? AGAIN : SORRY[grievance]
    return opening.map((text, index) => `${text}${policyText(policy)}${way[index] ?? ''}${withNumber(orderId)}`)
  },
  person: ({ contact, orderId }) => [
    `承知しました。${DESK}のほか、${contact}でも人の担当者がお答えします。${withNumber(orderId)}`,
    `担当のスタッフがお話をうかがいます。連絡先は${contact}、または${DESK}です。${orderId === undefined ? '' : `注文番号「${orderId}」をお伝えください。`}`,
    `スタッフへは${contact}、もしくは${DESK}からご連絡いただけます。${orderId === undefined ? '電話番号のご案内はこちらにはございません。' : `「${orderId}」のご注文だとお知らせください。`}`,
  ],
  faq: ({ entry }) => [
    withSupportLinks(entry.answer.ja),
    `もう一度お伝えしますね。${withSupportLinks(entry.answer.ja)}`,
  ],
}
