// Buying, orders, complaints and persons in English: sorry where it is due, the right way, and nothing that cannot be used.
import type { Part } from '../lines.ts'
import type { LineOf, Wording } from '../lines.ts'
import { ledInEnglish, namedInEnglish } from './naming.ts'
import { english } from './words.ts'

const { length, title, titles, yen } = english

const DESK = 'the [support page](/support)'
const withNumber = (orderId: string | undefined): string =>
  orderId === undefined ? '' : ` Please mention order number ${orderId}.`

const SORRY: Readonly<Record<LineOf<'sorry'>['grievance'], readonly [string, string]>> = {
  late: ['I’m so sorry about the wait.', 'I’m very sorry that it still hasn’t arrived.'],
  damaged: ['I’m so sorry that it reached you like that.', 'That shouldn’t have happened, and I’m sorry.'],
  wrong: ['I’m sorry that we sent you the wrong thing.', 'That’s our mistake, and I’m sorry that it happened.'],
  missing: ['I’m sorry that something is missing.', 'I apologise, everything should have been in there.'],
  charge: ['I’m sorry for the trouble with the payment.', 'I apologise for the worry over the payment.'],
  answer: [
    'I’m sorry, that missed the point. What kind of story are you looking for?',
    'Sorry about that. Could you name one series you like, or one thing to avoid?',
  ],
  other: ['I’m sorry for the trouble.', 'I apologise for this.'],
}

/** After an apology: what is done about it. */
const AGAIN: readonly [string, string] = [
  'You have every right to be annoyed. I can’t see orders from here, but our staff can, and they will put it right.',
  'I understand, and I won’t send you in circles: our staff can look into the order itself.',
]

const ORDERS: Readonly<Record<LineOf<'order'>['topic'], readonly [string, string]>> = {
  status: ['I can’t see orders from here.', 'I’m afraid I can’t look up orders myself.'],
  change: ['I can’t change an order from here.', 'Our staff can change it for you.'],
  cancel: ['I can’t cancel an order from here.', 'Our staff can cancel it for you.'],
  refund: ['I can’t arrange a refund from here.', 'Our staff can sort out a return or refund for you.'],
}

export const EN_SERVICE: Part<
  Wording,
  'chosen' | 'buy' | 'buy-what' | 'sold-out' | 'corrected' | 'order' | 'sorry' | 'person' | 'points' | 'faq'
> = {
  chosen: ({ product }) => {
    const price = `${length(product)} at ${yen(product.pricePerVolumeYen)}${product.volumes === 1 ? '' : ' each'}`
    return [
      `${title(product)} it is, good choice! That’s ${price}, and you can order from its page.`,
      `Lovely. ${title(product)} is ${price}; the button to buy is on its page.`,
    ]
  },
  buy: ({ products, volume }) => {
    const what = volume === undefined ? titles(products) : `volume ${volume} of ${titles(products)}`
    const page = products.length === 1 ? 'its page' : 'their pages'
    return [
      `I can’t take orders in this chat, but you can buy ${what} with the button on ${page}.`,
      `You can order ${what} from ${page}; I can’t add things to your cart from here.`,
    ]
  },
  'buy-what': () => [
    'You can order from the page of each series. Which one would you like?',
    'Every series has a button to buy on its page. Which one were you thinking of?',
  ],
  'sold-out': ({ product, isAgain }) => {
    const { it } = namedInEnglish(product, isAgain)
    return ledInEnglish(
      [
        `${it} is out of stock just now, though. Shall I look for something similar?`,
        `I’m sorry, ${it} is sold out at the moment. Would you like something close to it?`,
      ],
      undefined,
    )
  },
  corrected: () => ['Sorry, my mistake.', 'Sorry about that.'],
  order: ({ topic, policy, orderId }) =>
    ORDERS[topic].map((text) => `${text} ${policy || `Please see ${DESK}.`}${withNumber(orderId)}`),
  sorry: ({ grievance, policy, contact, orderId, isAgain }) => {
    if (grievance === 'answer') return SORRY.answer
    const way = [` You can reach our staff at ${DESK} or ${contact}.`, ` Write to ${DESK} or ${contact}.`]
    const opening = isAgain ? AGAIN : SORRY[grievance]
    return opening.map(
      (text, index) =>
        `${text}${policy === '' ? '' : ` ${policy}`}${policy.includes('(/support)') ? '' : way[index]}${withNumber(orderId)}`,
    )
  },
  person: ({ contact, orderId }) =>
    orderId === undefined
      ? [
          `Certainly. You can reach a colleague at ${contact}, or through ${DESK}.`,
          `Of course, our staff can help you: write to ${contact}, or use ${DESK}.`,
          `You can get hold of our staff at ${contact}, or through ${DESK}. I’m afraid there’s no phone number I can give you.`,
        ]
      : [
          `Thank you, order number ${orderId}. I can’t look into it from here, so please give that number to our staff at ${DESK} or ${contact}.`,
          `Thank you. Our staff can look into order number ${orderId} for you at ${contact}, or through ${DESK}.`,
        ],
  points: ({ yen: amount, points }) => [
    `On ${yen(amount)} a member gets ${points} points back, worth ${yen(points)} on a later order.`,
  ],
  faq: ({ text, before }) => [before === 'all' ? `Here it is once more. ${text}` : text],
}
