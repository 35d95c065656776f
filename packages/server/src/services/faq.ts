// The store's FAQ for a page: by topic, in one language.
import type { DeskView, FaqItem, Language, Localized } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Clock } from '#ports/clock/port.ts'
import { deskView } from './storefront/desk-view.ts'

export interface FaqView {
  readonly items: readonly FaqItem[]
  /** How a shopper reaches the staff. */
  readonly contact: string
  readonly desk: DeskView
}

/** Labels for the topics of the bundled FAQ; a topic that a shop adds is shown by its own name. */
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

export interface FaqQueryParts {
  /** The current ones. */
  readonly entries: () => readonly FaqEntry[]
  readonly config: Config
  readonly clock: Pick<Clock, 'now'>
}

export function createFaqQuery({ clock, entries, config }: FaqQueryParts) {
  return function readFaq(language: Language): FaqView {
    const items = entries().map(({ id, topic, questions, answer }) => ({
      id,
      topic,
      topicLabel: TOPIC_LABELS[topic]?.[language] ?? topic,
      // The first wording of the question is the entry's title; the others are only for search.
      question: questions[language][0] ?? '',
      answer: answer[language],
    }))
    return { items, contact: config.store.contact[language], desk: deskView(config.store, clock.now(), language) }
  }
}
