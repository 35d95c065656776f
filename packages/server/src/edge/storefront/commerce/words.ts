// All texts of the pages of cart, checkout, orders and sign-in, in both languages. `{n}` is a number, formatted for the language.
import type { Language, OrderState } from '@mangaassist/protocol'

export type SayCart = (word: CartWord, n?: number) => string
export type CartWord = keyof typeof CART_WORDS

export function speakCart(language: Language): SayCart {
  // Without a number the place for it stays, for the script of the page.
  return (word, n) => {
    const text = CART_WORDS[word][language]
    return n === undefined ? text : text.replace('{n}', n.toLocaleString(language))
  }
}

export const stateWord = (state: OrderState): CartWord => `state-${state}`

const CART_WORDS = {
  cart: { ja: 'カート', en: 'Cart' },
  cartWith: { ja: 'カート（{n}点）', en: 'Cart ({n})' },
  cartEmpty: { ja: 'カートは空です', en: 'Your cart is empty' },
  cartEmptyText: {
    ja: '気になる作品のページか、アシスタントのおすすめからお入れいただけます。',
    en: 'Add volumes on the page of a series, or from what the assistant suggests.',
  },
  browse: { ja: '作品を見る', en: 'Browse the series' },
  volume: { ja: '第{n}巻', en: 'Volume {n}' },
  yen: { ja: '{n}円', en: '¥{n}' },
  quantity: { ja: '数量', en: 'Quantity' },
  copies: { ja: '{n}冊', en: '×{n}' },
  update: { ja: '変更', en: 'Update' },
  remove: { ja: '削除', en: 'Remove' },
  priceWas: { ja: '価格が変わりました（以前は{n}円）', en: 'The price has changed (it was ¥{n})' },
  soldOut: { ja: '在庫がなくなりました。削除してください。', en: 'Sold out. Please remove it.' },
  tooFew: { ja: '在庫は{n}冊です。数量を減らしてください。', en: 'Only {n} left. Please lower the quantity.' },
  notSold: { ja: 'お取り扱いが終わりました。削除してください。', en: 'We no longer sell this. Please remove it.' },
  items: { ja: '小計', en: 'Items' },
  shipping: { ja: '送料', en: 'Shipping' },
  free: { ja: '無料', en: 'Free' },
  total: { ja: '合計', en: 'Total' },
  untilFree: { ja: 'あと{n}円で送料無料になります。', en: '¥{n} more for free shipping.' },
  toCheckout: { ja: 'ご注文手続きへ（デモ）', en: 'Go to checkout (demo)' },
  noCheckout: {
    ja: 'このサイトではご注文を承っておりません。',
    en: 'Orders are not taken on this site.',
  },
  summary: { ja: 'ご注文の金額', en: 'Order summary' },

  addTitle: { ja: 'カートに入れる', en: 'Add to cart' },
  whichVolume: { ja: '巻を選ぶ', en: 'Volume' },
  allVolumes: { ja: '在庫のある全巻', en: 'All volumes in stock' },
  add: { ja: 'カートに入れる', en: 'Add to cart' },
  volumeSoldOut: { ja: '（在庫なし）', en: ' (out of stock)' },
  added: { ja: 'カートに入れました（{n}冊）。', en: 'Added to your cart ({n}).' },
  addedNothing: { ja: 'すでにカートに入っています。', en: 'It is in your cart already.' },
  viewCart: { ja: 'カートを見る', en: 'View cart' },
  addFailed: {
    ja: 'カートに入れられませんでした。もう一度お試しください。',
    en: 'This could not be added. Please try again.',
  },

  checkout: { ja: 'ご注文の確認（デモ）', en: 'Checkout (demo)' },
  demoMark: { ja: 'デモ', en: 'Demo' },
  demoOrder: {
    ja: 'これはデモです。お支払いは発生せず、商品も発送されません。',
    en: 'This is a demo: no money is taken and nothing is sent.',
  },
  place: { ja: 'デモ注文を確定する', en: 'Place the demo order' },
  backToCart: { ja: 'カートに戻る', en: 'Back to the cart' },
  orders: { ja: 'ご注文履歴', en: 'Your orders' },
  noOrders: { ja: 'ご注文はまだありません。', en: 'You have no orders yet.' },
  order: { ja: 'ご注文', en: 'Order' },
  orderNumber: { ja: '注文番号', en: 'Order number' },
  orderedOn: { ja: 'ご注文日', en: 'Ordered' },
  orderDetails: { ja: '詳細を見る', en: 'Details' },
  orderThanks: { ja: 'デモ注文を受け付けました。', en: 'Your demo order is placed.' },
  expected: { ja: 'お届け予定', en: 'Expected' },
  progress: { ja: 'ご注文の状況', en: 'Progress' },
  allOrders: { ja: 'ご注文履歴へ', en: 'All orders' },
  'state-placed': { ja: 'ご注文受付', en: 'Placed' },
  'state-packed': { ja: '梱包済み', en: 'Packed' },
  'state-shipped': { ja: '発送済み', en: 'Shipped' },
  'state-delivered': { ja: 'お届け済み', en: 'Delivered' },
  'state-returned': { ja: '返品済み', en: 'Returned' },

  signIn: { ja: 'ログイン', en: 'Sign in' },
  signInDemo: { ja: 'ログイン（デモ）', en: 'Sign in (demo)' },
  signInText: {
    ja: 'これはデモです。下の会員は実在せず、どなたでもお試しいただけます。個人情報は入力しないでください。カートと会話は引き継がれます。会員のカート・注文・会話はこのブラウザーだけのもので、ほかの訪問者には見えません。',
    en: 'This is a demo: these members are not real, and every visitor may try any of them. Do not enter personal data. Your cart and conversations come along. A member’s cart, orders and conversations are this browser’s own: other visitors do not see them.',
  },
  signInAs: { ja: 'この会員でログイン', en: 'Sign in as this member' },
  tier: { ja: '会員ランク', en: 'Tier' },
  tierFree: { ja: '無料会員', en: 'Free' },
  tierStandard: { ja: 'スタンダード会員', en: 'Standard' },
  tierPremium: { ja: 'プレミアム会員', en: 'Premium' },
  signedInAs: { ja: 'ログイン中の会員', en: 'Signed in as' },
  signOut: { ja: 'ログアウト', en: 'Sign out' },
  account: { ja: '会員ページ', en: 'Account' },
} as const satisfies Record<string, Record<Language, string>>
