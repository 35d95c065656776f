// What shoppers ask about a new volume on the day it comes out, in both languages: its price and stock, when it comes out, whether to read
// the series, what is like it, and what it resembles. None says anything of the shopper, so that one answer fits all. A prewarm asks each
// question once before the day begins, in its first wording; its answer serves the others too.
import type { Language } from '@mangaassist/protocol'
import type { Product } from './catalogue.ts'
import type { Release } from './release-calendar.ts'

export interface ReleaseQuestion {
  readonly language: Language
  readonly message: string
  /** The same question in the other words that people use. */
  readonly wordings: readonly string[]
}

/**
 * Most often asked first; of each question the clearest wording. `T` is the title, `V` the number of the new volume, which on its day is
 * the newest. Punctuation, spaces, case and politeness make no other wording.
 */
const QUESTIONS: readonly Readonly<Record<Language, readonly string[]>>[] = [
  {
    ja: [
      'T V巻はありますか？',
      'T V巻ありますか',
      'TのV巻はありますか',
      'TのV巻ありますか',
      'T V巻',
      'TのV巻',
      'T V巻 在庫',
      'T V巻の在庫はありますか',
      'TのV巻の在庫はありますか',
      'TのV巻の在庫ありますか',
      'TのV巻、在庫ありますか',
      'TのV巻は在庫ありますか',
      'T V巻 入荷',
      'T 新刊',
      'Tの新刊',
      'T 最新刊',
      'Tの最新刊',
      'T 新刊 在庫',
      'Tの新刊はありますか',
      'Tの新刊ありますか',
      'Tの新刊の在庫はありますか',
      'Tの新刊、在庫ありますか',
      'Tの新刊は入荷しましたか',
      'Tの新刊出た？',
      'Tの最新刊はありますか',
      'Tの最新刊ありますか',
      'Tの最新刊の在庫はありますか',
    ],
    en: [
      'Is volume V of T in stock?',
      'Is T volume V in stock?',
      'Is T V in stock?',
      'T V in stock',
      'T V',
      'T volume V',
      'T vol V',
      'Do you have T V?',
      'Do you have T volume V?',
      'Do you have volume V of T?',
      'Is volume V of T out?',
      'Is T V out?',
      'T new volume',
      'new T volume',
      'new volume of T',
      'latest T volume',
      'T latest volume',
      'latest volume of T',
      'Do you have the new T?',
      'Do you have the new T volume?',
      'Do you have the new volume of T?',
      'Do you have the latest T?',
      'Do you have the latest T volume?',
      'Do you have the latest volume of T?',
      'Is the new T in stock?',
      'Is the new T volume in stock?',
      'Is the new volume of T in stock?',
      'Is the latest volume of T in stock?',
      'Is the new T out?',
      'Is the new T out yet?',
      'Is the new T volume out?',
      'Is the new T volume out yet?',
      'Is the new volume of T out?',
    ],
  },
  {
    ja: [
      'Tの新刊はいくらですか？',
      'Tの新刊いくら',
      'T 新刊 いくら',
      'T 新刊 値段',
      'Tの新刊の値段',
      'Tの新刊の値段は？',
      'Tの最新刊はいくらですか',
      'Tの最新刊の値段は？',
      'T V巻 いくら',
      'T V巻 値段',
      'T V巻 価格',
      'T V巻はいくらですか',
      'TのV巻はいくらですか',
      'TのV巻の値段は？',
    ],
    en: [
      'How much is the new volume of T?',
      'How much is the new T?',
      'How much is the new T volume?',
      'How much is the latest T?',
      'How much is the latest T volume?',
      'How much is the latest volume of T?',
      'How much is T V?',
      'How much is T volume V?',
      'How much is volume V of T?',
      'How much does T V cost?',
      'How much does volume V of T cost?',
      'How much does the new volume of T cost?',
      'T V price',
      'T volume V price',
      'price of T V',
      'T new volume price',
    ],
  },
  {
    ja: ['Tは面白いですか？', 'Tって面白いですか', 'Tはおもしろいですか', 'Tっておもしろい？'],
    en: ['Is T any good?', 'Is T good?', 'Is T worth reading?', 'Is T worth it?'],
  },
  {
    ja: [
      'Tはどんな漫画ですか？',
      'Tってどんな漫画？',
      'Tはどういう漫画ですか',
      'Tはどんな話ですか',
      'Tってどんな話？',
      'T あらすじ',
      'Tのあらすじ',
      'Tのあらすじは？',
      'Tのあらすじを教えて',
      'Tの内容を教えて',
      'Tについて教えて',
    ],
    en: [
      'What is T about?',
      "What's T about?",
      'What is T?',
      'Tell me about T',
      'What kind of manga is T?',
      'What is the story of T?',
    ],
  },
  {
    ja: [
      'T V巻の発売日はいつですか？',
      'T V巻の発売日は？',
      'TのV巻の発売日は？',
      'TのV巻の発売日はいつですか',
      'TのV巻はいつ出ますか',
      'TのV巻はいつ発売ですか',
      'T V巻 いつ',
      'T V巻 発売日',
      'T 新刊 いつ',
      'Tの新刊いつ？',
      'Tの新刊はいつ？',
      'Tの新刊はいつ出ますか',
      'Tの新刊はいつ発売ですか',
      'Tの新刊の発売日',
      'Tの新刊の発売日は？',
      'Tの新刊の発売日はいつですか',
      'T 新刊 発売日',
      'T 発売日',
      'Tの最新刊はいつ出ますか',
      'Tの最新刊の発売日は？',
    ],
    en: [
      'When does volume V of T come out?',
      'When does T V come out?',
      'When does T volume V come out?',
      'When does the new T come out?',
      'When does the new T volume come out?',
      'When does the new volume of T come out?',
      'When is T V out?',
      'When is volume V of T out?',
      'When is the new T out?',
      'When is the new T volume out?',
      'When is the new volume of T out?',
      'T V release date',
      'T release date',
      'release date of T V',
    ],
  },
  {
    ja: [
      'Tに似た漫画は？',
      'Tに似た漫画',
      'T 似た漫画',
      'Tに似た漫画を教えて',
      'Tみたいな漫画',
      'Tみたいな漫画は？',
      'Tみたいな漫画を教えて',
      'Tみたいな漫画が読みたい',
      'Tのような漫画',
      'Tが好きな人におすすめ',
    ],
    en: [
      'Something like T',
      'Anything like T?',
      'Manga like T',
      'Similar to T',
      'Manga similar to T',
      'Recommend something like T',
      'Recommend manga like T',
    ],
  },
  { ja: ['Tは何に似ていますか？'], en: ['What is T similar to?'] },
]

/** The most often asked questions of all releases come first, so that a limit leaves out the rare ones. */
export function releaseQuestions(
  releases: readonly { readonly product: Pick<Product, 'title'>; readonly release: Pick<Release, 'volume'> }[],
): readonly ReleaseQuestion[] {
  return QUESTIONS.flatMap((question) =>
    releases.flatMap(({ product: { title }, release: { volume } }) =>
      (['ja', 'en'] as const).map((language) => {
        const inWords = (wording: string) =>
          wording.replaceAll(/\b[TV]\b/gu, (name) => (name === 'T' ? title[language] : String(volume)))
        const [message = '', ...wordings] = question[language].map(inWords)
        return { language, message, wordings }
      }),
    ),
  )
}
