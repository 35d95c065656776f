// Buying, orders, complaints and persons in English: sorry where it is due, the right way, and nothing that cannot be used.
import type { Part } from '../lines.ts'
import type { LineOf, Wording } from '../lines.ts'
import { ledInEnglish, namedInEnglish } from './naming.ts'
import { english } from './words.ts'

const { length, reason, title, titles, yen } = english

const DESK = 'the [support page](/support)'
const withNumber = (orderId: string | undefined): string =>
  orderId === undefined ? '' : ` Please mention order ${orderId}.`

const SORRY: Readonly<Record<LineOf<'sorry'>['grievance'], readonly [string, string]>> = {
  late: ['I’m so sorry about the wait.', 'I’m very sorry that it still hasn’t come.'],
  damaged: ['I’m so sorry that it reached you like that.', 'That should not happen, and I’m sorry.'],
  wrong: ['I’m sorry that you got the wrong thing.', 'That is our mistake, and I’m sorry.'],
  missing: ['I’m sorry that something is missing.', 'I apologise: a parcel should be complete.'],
  charge: ['I’m sorry for the trouble with the payment.', 'I apologise for the worry about the payment.'],
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
  status: ['I can’t see orders from here.', 'Orders are not visible to me, I’m afraid.'],
  change: ['I can’t change an order from here.', 'Our staff make changes to orders.'],
  cancel: ['I can’t cancel an order from here.', 'Our staff cancel orders.'],
  refund: ['I can’t arrange a refund from here.', 'Our staff take care of returns and refunds.'],
}

export const EN_SERVICE: Part<
  Wording,
  'chosen' | 'buy' | 'buy-what' | 'sold-out' | 'corrected' | 'order' | 'sorry' | 'person' | 'points' | 'faq'
> = {
  chosen: ({ product, reason: why }) => [
    `${title(product)} it is.${reason(why)} ${length(product)}, ${yen(product.pricePerVolumeYen)} each; you can order it with the button on its page.`,
    `Good choice. ${title(product)} has ${length(product)} at ${yen(product.pricePerVolumeYen)}, and its page has the button to buy.`,
  ],
  buy: ({ products, volume }) => {
    const what = volume === undefined ? titles(products) : `volume ${volume} of ${titles(products)}`
    return [
      `I can’t take orders in this chat, but you can buy ${what} with the button on its page.`,
      `Please use the button on the page of ${what} to buy; putting things into your cart is not something I can do from here.`,
    ]
  },
  'buy-what': () => [
    'You order with the button on a series’ page. Which series would you like?',
    'Buying happens on the page of each series. Which one is it to be?',
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
          `Certainly, a colleague can take over: ${contact}, or ${DESK}.`,
          `Of course. You reach a person at ${contact}, or through ${DESK}.`,
          `Our staff are at ${contact}; ${DESK} works as well. I have no phone number to give.`,
        ]
      : [
          `Order ${orderId}, thank you. I can’t look into it from here: please give that number to our staff, at ${DESK} or ${contact}.`,
          `Thank you. With number ${orderId}, our staff can look into it: ${contact}, or ${DESK}.`,
        ],
  points: ({ yen: amount, points }) => [
    `On ${yen(amount)} a member gets ${points} points back, worth ${yen(points)} on a later order.`,
  ],
  faq: ({ text, before }) => [before === 'all' ? `Once more, then: ${text}` : text],
}
