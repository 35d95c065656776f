// Buying, orders, complaints and persons in Japanese: sorry where it is due, the right way, and nothing that cannot be used.
import type { LineOf, Wording } from '../lines.ts'
import type { Part } from '../lines.ts'
import { namedInJapanese } from './naming.ts'
import { japanese } from './words.ts'

const { length, title, titles, yen } = japanese

const DESK = '[サポートページ](/support)'
const withNumber = (orderId: string | undefined): string =>
  orderId === undefined ? '' : `その際は注文番号「${orderId}」をお伝えください。`

const SORRY: Readonly<Record<LineOf<'sorry'>['grievance'], readonly [string, string]>> = {
  late: ['お待たせしてしまい、本当に申し訳ございません。', 'お届けが遅れておりますこと、心よりおわび申し上げます。'],
  damaged: ['そのような本をお届けしてしまい、申し訳ございません。', 'ご不快な思いをさせてしまい、おわび申し上げます。'],
  wrong: ['違う商品が届いたとのこと、申し訳ございません。', 'お品物の取り違えがあり、おわび申し上げます。'],
  missing: ['届いていないものがあるとのこと、申し訳ございません。', '不足があり、ご迷惑をおかけしております。'],
  charge: [
    'お支払いのことでご心配をおかけし、申し訳ございません。',
    'お支払いでお手数をおかけし、おわび申し上げます。',
  ],
  answer: [
    '見当違いなお答えをしてしまい、申し訳ございません。どんな作品をお探しか、もう一度教えていただけますか？',
    'お役に立てず、すみません。好きな作品か、避けたいものをひとつ教えていただけますか？',
  ],
  other: ['ご不便をおかけして、申し訳ございません。', 'ご迷惑をおかけし、おわび申し上げます。'],
}

/** After an apology: what is done about it. */
const AGAIN: readonly [string, string] = [
  'お怒りはごもっともです。私からはご注文を見られないので、確認できるスタッフに対応させてください。',
  '重ねておわびいたします。ここから先は、ご注文を確認できるスタッフが対応いたします。',
]

const ORDERS: Readonly<Record<LineOf<'order'>['topic'], readonly [string, string]>> = {
  status: ['ご注文の状況は、私からは見られません。', 'お荷物のことですね。私からは確認できず、すみません。'],
  change: ['ご注文の変更は、私からはできません。', '変更のお手続きは、スタッフが承ります。'],
  cancel: ['キャンセルのお手続きは、私からはできません。', 'キャンセルは、スタッフが承ります。'],
  refund: ['返品や返金のお手続きは、私からはできません。', '返品・返金は、スタッフがご案内します。'],
}

export const JA_SERVICE: Part<
  Wording,
  'chosen' | 'buy' | 'buy-what' | 'sold-out' | 'corrected' | 'order' | 'sorry' | 'person' | 'points' | 'faq'
> = {
  chosen: ({ product }) => [
    `${title(product)}ですね、ありがとうございます。${length(product)}、1巻${yen(product.pricePerVolumeYen)}です。ご注文は作品ページのボタンからどうぞ。`,
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
      `ただ、${wa}今、在庫を切らしております。似た作品をお探ししましょうか？`,
      `申し訳ございません、${wa}ただいま在庫切れです。近い作品をご紹介しましょうか？`,
    ]
  },
  corrected: () => ['失礼しました。', '失礼いたしました。'],
  order: ({ topic, policy, orderId }) =>
    ORDERS[topic].map((text) => `${text}${policy || `詳しくは${DESK}へどうぞ。`}${withNumber(orderId)}`),
  sorry: ({ grievance, policy, contact, orderId, isAgain }) => {
    if (grievance === 'answer') return SORRY.answer
    const way = [
      `スタッフへは${DESK}か${contact}からご連絡いただけます。`,
      `${DESK}、または${contact}でスタッフが承ります。`,
    ]
    const opening = isAgain ? AGAIN : SORRY[grievance]
    return opening.map(
      (text, index) => `${text}${policy}${policy.includes('(/support)') ? '' : way[index]}${withNumber(orderId)}`,
    )
  },
  person: ({ contact, orderId }) =>
    orderId === undefined
      ? [
          `承知しました。${DESK}か${contact}で、担当の者がお答えします。`,
          `担当のスタッフがお話をうかがいます。連絡先は${contact}、または${DESK}です。`,
          `スタッフへは${contact}か${DESK}からご連絡いただけます。お電話の窓口は、こちらではご案内できません。`,
        ]
      : [
          `ご注文「${orderId}」のことですね。私からは確認できないので、この番号を${DESK}か${contact}へお知らせください。`,
          `「${orderId}」ですね。${contact}か${DESK}でこの番号をお伝えいただければ、スタッフが対応いたします。`,
        ],
  points: ({ yen: amount, points }) => [
    `${yen(amount)}のお買い物でしたら、会員の方には${points}ポイントが付きます。次のお買い物で${yen(points)}分としてお使いいただけます。`,
  ],
  faq: ({ text, before }) => [before === 'all' ? `もう一度お伝えしますね。${text}` : text],
}
