// The store's answers to what is often asked, as a page shows them: by topic, in one language.
import type { FaqItem, Language, Localized } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'

export interface FaqView {
  readonly items: readonly FaqItem[]
  /** Where a shopper finds a person. */
  readonly contact: string
}

/** What the topics of the bundled FAQ are called; a topic that a shop adds is called by its own name. */
const TOPIC_LABELS: Readonly<Record<string, Localized>> = {
  shipping: { ja: '配送・送料', en: 'Shipping' },
  returns: { ja: '返品・交換', en: 'Returns and exchanges' },
  payment: { ja: 'お支払い', en: 'Payment' },
  orders: { ja: 'ご注文', en: 'Orders' },
  hours: { ja: '営業時間', en: 'Opening hours' },
  membership: { ja: '会員・ポイント', en: 'Membership and points' },
  gift: { ja: 'ギフト', en: 'Gifts' },
  ebooks: { ja: '電子書籍', en: 'E-books' },
  popular: { ja: '人気作品', en: 'Popular series' },
  support: { ja: 'お問い合わせ', en: 'Contact' },
}

export function createFaqQuery({ faq, config }: { readonly faq: readonly FaqEntry[]; readonly config: Config }) {
  return function readFaq(language: Language): FaqView {
    const items = faq.map(({ id, topic, questions, answer }) => ({
      id,
      topic,
      topicLabel: TOPIC_LABELS[topic]?.[language] ?? topic,
      // The entry's own title is its first way of being asked; the others are for finding it.
      question: questions[language][0] ?? '',
      answer: answer[language],
    }))
    return { items, contact: config.store.contact[language] }
  }
}
