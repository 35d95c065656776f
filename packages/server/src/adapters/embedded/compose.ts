// What the built-in responder says: plain sentences over the retrieved products and FAQ entries. Titles, prices
// and stock are copied from the grounding, so it cannot invent one.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '#domain/catalogue.ts'
import type { ModelRequest } from '#ports/model.ts'

const RECOMMENDED_MAX = 3

export function compose({ grounding, language }: Pick<ModelRequest, 'grounding' | 'language'>): string {
  const entry = grounding.faq[0]
  if (grounding.intent === 'greeting') return GREETING[language]
  if (grounding.intent === 'thanks') return THANKS[language]
  if (grounding.intent === 'faq' && entry !== undefined) return entry.answer[language]
  if (grounding.products.length > 0) return recommend(grounding.products.slice(0, RECOMMENDED_MAX), language)
  return NOTHING_FOUND[language]
}

const GREETING = {
  ja: 'いらっしゃいませ。どんな漫画をお探しですか？お好きな作品やジャンルを教えていただければ、おすすめをご案内します。',
  en: 'Welcome! What kind of manga are you looking for? Tell me a series or a genre you like, and I’ll suggest something.',
}
const THANKS = {
  ja: 'どういたしまして。ほかにも気になることがあれば、いつでもどうぞ。',
  en: 'You’re welcome! If anything else comes to mind, just ask.',
}
const NOTHING_FOUND = {
  ja: '申し訳ございません、当店の品揃えの中では見つけられませんでした。お好きな作品やジャンルを教えていただけますか？',
  en: 'I’m sorry, I couldn’t find that on our shelves. Could you tell me a series or a genre you enjoy?',
}

function recommend(products: readonly Product[], language: Language): string {
  const lines = products.map((product) => describe(product, language))
  return language === 'ja'
    ? `当店の棚から、こちらはいかがでしょうか。\n\n${lines.join('\n')}`
    : `Here is what I found on our shelves.\n\n${lines.join('\n')}`
}

function describe(product: Product, language: Language): string {
  const yen = product.pricePerVolumeYen.toLocaleString('en-US')
  if (language === 'ja') {
    const stock = product.stock > 0 ? `在庫${product.stock}点` : '現在品切れ'
    return `・『${product.title.ja}』（${product.author.ja}、${product.status === 'completed' ? '全' : '既刊'}${product.volumes}巻、1巻${yen}円、${stock}）${product.synopsis.ja}`
  }
  const stock = product.stock > 0 ? `${product.stock} in stock` : 'currently out of stock'
  return `• ${product.title.en} by ${product.author.en} (${product.volumes} volumes, ¥${yen} each, ${stock}). ${product.synopsis.en}`
}
