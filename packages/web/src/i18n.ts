// All texts of the interface in both languages, typed. Chat and storefront have separate tables, so that the widget
// does not carry the storefront's texts. `{n}` is a number, formatted for the language. Catalogue texts are not here.
import type { Language } from '@mangaassist/protocol'

export type Words = Readonly<Record<string, Readonly<Record<Language, string>>>>
export type Say<Table extends Words> = (word: keyof Table & string, n?: number) => string

/** Returns a function that looks up the texts of one table in one language. */
export function speak<Table extends Words>(table: Table, language: Language): Say<Table> {
  return (word, n) => (table[word]?.[language] ?? word).replace('{n}', (n ?? 0).toLocaleString(language))
}

export const chatWords = {
  name: { ja: '漫画アシスタント', en: 'Manga assistant' },
  launch: { ja: '相談する', en: 'Ask us' },
  launchLabel: { ja: '漫画アシスタントを開く', en: 'Open the manga assistant' },
  unread: { ja: '新しい回答があります', en: 'There is a new answer' },
  close: { ja: '閉じる', en: 'Close' },
  newConversation: { ja: '新しい会話', en: 'New conversation' },
  otherLanguage: { ja: 'English', en: '日本語' },
  otherLanguageLabel: { ja: 'Switch to English', en: '日本語に切り替える' },
  conversation: { ja: '会話', en: 'Conversation' },
  toLatest: { ja: '最新へ', en: 'To the latest' },
  greetingTitle: { ja: 'どんな漫画をお探しですか？', en: 'What would you like to read?' },
  greeting: {
    ja: 'おすすめ、在庫と価格、配送や返品のことまで。お好きな作品や気分を教えてください。',
    en: 'Recommendations, stock and prices, shipping and returns. Tell us what you love, or the mood you are in.',
  },
  suggestions: { ja: '質問の例', en: 'Things to ask' },
  suggestion1: { ja: '進撃の巨人が好きなら次は何を読む？', en: 'Something like Spy x Family but darker' },
  suggestion2: { ja: '完結済みで10巻以内のおすすめは？', en: 'A finished series of ten volumes or fewer' },
  suggestion3: { ja: '心があたたまる日常ものを教えて', en: 'A heart-warming slice of life' },
  suggestion4: { ja: '送料はいくらですか？', en: 'How much is shipping?' },
  message: { ja: 'メッセージ', en: 'Message' },
  placeholder: { ja: '作品名や気分をどうぞ…', en: 'A title, a mood, a question…' },
  send: { ja: '送信', en: 'Send' },
  stop: { ja: '回答を止める', en: 'Stop the answer' },
  hint: {
    ja: 'AIがお答えします。価格と在庫は回答時点のものです。',
    en: 'Answers are made by AI. Prices and stock are those of the moment.',
  },
  you: { ja: 'あなた', en: 'You' },
  assistant: { ja: 'アシスタント', en: 'Assistant' },
  retry: { ja: 'もう一度試す', en: 'Try again' },
  askElsewhere: { ja: '新しい会話で質問する', en: 'Ask in a new conversation' },
  restoring: { ja: '前回の会話を読み込んでいます…', en: 'Loading your conversation…' },

  thinking: { ja: '考えています…', en: 'Thinking…' },
  stillWorking: { ja: 'もう少しお待ちください。お調べしています…', en: 'Still working on it, one moment…' },
  queued: { ja: '順番にご案内しています（{n}番目）…', en: 'You are number {n} in line…' },
  answerContinues: { ja: '回答が続いています。', en: 'The answer continues.' },
  answered: { ja: '回答：', en: 'Answer: ' },
  answeredProducts: { ja: '作品を{n}点ご紹介しています。', en: 'Titles shown: {n}.' },

  tierEconomy: { ja: '軽量モデルがお答えしました', en: 'Answered by our lighter model' },
  tierCached: { ja: '以前の回答をもとにお答えしました', en: 'Answered from an earlier answer' },
  tierFaq: { ja: 'よくあるご質問からお答えしました', en: 'Answered from our FAQ' },
  tierMessage: { ja: '自動のお知らせです（回答ではありません）', en: 'An automatic notice, not an answer' },
  tierReduced: { ja: '簡易的にお答えしました', en: 'Answered in a reduced way' },
  unsaved: { ja: 'この回答は会話の履歴に残らないことがあります', en: 'This answer may be missing from your history' },

  endLength: { ja: '長くなりましたので、ここまでといたします。', en: 'This was getting long, so it ends here.' },
  endBudget: { ja: 'ご利用枠に達したため、ここまでといたします。', en: 'Your allowance was reached, so it ends here.' },
  endTimeout: { ja: '時間内に終わりませんでした。', en: 'This could not be finished in time.' },
  endStopped: { ja: '停止しました。', en: 'Stopped.' },
  endInterrupted: { ja: '回答が途中で途切れました。', en: 'The answer was interrupted.' },
  endDeferred: { ja: '受け付けました。のちほどお答えします。', en: 'We have your question and will answer later.' },
  unverified: { ja: '一部が正しく届かなかった可能性があります。', en: 'Some of this may not have arrived correctly.' },

  connectionLost: { ja: '接続が切れました。つなぎ直しています…', en: 'The connection was lost. Reconnecting…' },
  connectionBack: { ja: '接続が戻りました。', en: 'The connection is back.' },
  unreachable: { ja: 'サーバーに接続できませんでした。', en: 'The server could not be reached.' },
  cannotLoad: { ja: '前回の会話を読み込めませんでした。', en: 'The last conversation could not be loaded.' },
  sessionGone: { ja: '前回の会話は期限が切れました。', en: 'Your last conversation has expired.' },
  transferred: {
    ja: '別の端末でこの会話が続いています。ここからも送信できます。',
    en: 'This conversation continues on another device. You can still write here.',
  },
  busy: { ja: '混み合っています。少しお待ちください…', en: 'It is busy right now. One moment, please…' },
  unexpected: { ja: '問題が発生しました。', en: 'Something went wrong.' },
  notAllowed: {
    ja: 'このページでは、アシスタントをご利用いただけません。',
    en: 'The assistant is not available on this page.',
  },
  tooLong: {
    ja: 'メッセージが長すぎます（{n}文字まで）。短くして、もう一度お送りください。',
    en: 'Your message is too long (up to {n} characters). Please shorten it and send it again.',
  },
  tooLongTokens: {
    ja: 'メッセージが長すぎます（およそ{n}トークンまで）。短くして、もう一度お送りください。',
    en: 'Your message is too long (up to about {n} tokens). Please shorten it and send it again.',
  },

  products: { ja: 'ご紹介した作品', en: 'Titles mentioned' },
  followUps: { ja: '続けて質問する', en: 'Follow-up questions' },
  followUpsOffered: { ja: '続けて選べる質問が{n}件あります。', en: 'Follow-up questions to choose from: {n}.' },
  rating: { ja: 'この回答の評価', en: 'Rate this answer' },
  thumbUp: { ja: '役に立った', en: 'Helpful' },
  thumbDown: { ja: '役に立たなかった', en: 'Not helpful' },
  ratingThanks: { ja: 'ありがとうございます。', en: 'Thank you.' },
  ratingFailed: { ja: '保存できませんでした。もう一度お試しください。', en: 'This was not saved. Please try again.' },
  reasonAsk: { ja: 'どこがよくなかったですか？', en: 'What was wrong?' },
  reason: { ja: '役に立たなかった理由（任意）', en: 'Why it did not help (optional)' },
  reasonPlaceholder: { ja: 'ひとこと（任意）', en: 'A few words (optional)' },
  reasonSend: { ja: '理由を送信', en: 'Send the reason' },
  sources: { ja: '出典：', en: 'From: ' },
  sourceCatalogue: { ja: '当店の作品情報', en: 'our catalogue' },
  sourceFaq: { ja: 'よくあるご質問', en: 'FAQ' },
} as const satisfies Words

export const productWords = {
  pricePerVolume: { ja: '{n}円', en: '¥{n}' },
  perVolume: { ja: '／1冊', en: ' a volume' },
  volumes: { ja: '全{n}巻', en: '{n} vols' },
  volumesOnSale: { ja: '{n}巻', en: '{n} vols' },
  volumesSoFar: { ja: '既刊{n}巻', en: '{n} vols so far' },
  completed: { ja: '完結', en: 'Completed' },
  running: { ja: '連載中', en: 'Ongoing' },
  hiatus: { ja: '休載中', en: 'On hiatus' },
  inStock: { ja: '在庫あり', en: 'In stock' },
  fewLeft: { ja: '残り{n}点', en: 'Only {n} left' },
  outOfStock: { ja: '在庫なし', en: 'Out of stock' },
} as const satisfies Words

export const storeWords = {
  ...productWords,
  storeName: { ja: 'マンガアシスト書店', en: 'MangaAssist Books' },
  skip: { ja: '本文へ移動', en: 'Skip to content' },
  navCatalogue: { ja: '作品', en: 'Series' },
  navSupport: { ja: 'ご利用案内', en: 'Support' },
  navLabel: { ja: 'メイン', en: 'Main' },
  otherLanguage: { ja: 'English', en: '日本語' },
  otherLanguageLabel: { ja: 'Switch to English', en: '日本語に切り替える' },
  footer: {
    ja: '価格はすべて円、1冊あたりです。表紙は当店が生成したデザインです。',
    en: 'All prices are in yen, per volume. Covers are designs generated by this store.',
  },

  heroKicker: { ja: '漫画の相談ができる書店', en: 'The manga store you can talk to' },
  heroTitle1: { ja: '話すだけで、', en: 'Just say it.' },
  heroTitle2: { ja: 'つぎの一冊。', en: 'Meet your next series.' },
  heroText: {
    ja: '好きな作品や今の気分を伝えてください。当店の棚から選び、在庫と価格をその場で確かめてお答えします。',
    en: 'Name a favourite or a mood. We pick from our own shelves and check stock and price as we answer.',
  },
  heroAsk: { ja: 'アシスタントに相談する', en: 'Ask the assistant' },
  heroTry: { ja: 'たとえば', en: 'For example' },
  heroExample1: { ja: '進撃の巨人が好きなら次は何を読む？', en: 'Something like Spy x Family but darker' },
  heroExample2: { ja: '泣ける完結作を3つ', en: 'Three finished tear-jerkers' },
  heroExample3: { ja: '小学生へのプレゼントに', en: 'A gift for a ten-year-old' },

  searchLabel: { ja: '作品を探す', en: 'Search the series' },
  searchPlaceholder: { ja: '作品名・作者・キーワード', en: 'Title, author, keyword' },
  search: { ja: '検索', en: 'Search' },
  catalogue: { ja: '作品一覧', en: 'All series' },
  resultsFor: { ja: 'の検索結果', en: ' — search results' },
  filters: { ja: '絞り込み', en: 'Filters' },
  genre: { ja: 'ジャンル', en: 'Genre' },
  allGenres: { ja: 'すべて', en: 'All' },
  moreGenres: { ja: 'ほかのジャンル', en: 'More genres' },
  readership: { ja: '読者層', en: 'Readership' },
  status: { ja: '刊行状況', en: 'Status' },
  any: { ja: 'すべて', en: 'Any' },
  inStockOnly: { ja: '在庫ありのみ', en: 'In stock only' },
  clearFilters: { ja: '条件をすべて解除', en: 'Clear all filters' },
  loadMore: { ja: 'もっと見る', en: 'Load more' },
  loading: { ja: '読み込んでいます…', en: 'Loading…' },
  shown: { ja: '{n}作品を表示中', en: '{n} series shown' },
  emptyTitle: { ja: '見つかりませんでした', en: 'Nothing found' },
  emptyText: {
    ja: '条件をゆるめるか、アシスタントにお尋ねください。うろ覚えの題名でも大丈夫です。',
    en: 'Try fewer filters, or ask the assistant. A half-remembered title is enough.',
  },
  errorTitle: { ja: '読み込めませんでした', en: 'This could not be loaded' },
  errorText: {
    ja: '通信の状態をご確認のうえ、もう一度お試しください。',
    en: 'Please check your connection and try again.',
  },
  retry: { ja: 'もう一度試す', en: 'Try again' },

  breadcrumb: { ja: '現在位置', en: 'Breadcrumb' },
  author: { ja: '作者', en: 'Author' },
  magazine: { ja: '掲載誌', en: 'Magazine' },
  firstYear: { ja: '連載開始', en: 'First published' },
  year: { ja: '年', en: '' },
  volumesLabel: { ja: '巻数', en: 'Volumes' },
  moods: { ja: '雰囲気', en: 'Mood' },
  synopsis: { ja: 'あらすじ', en: 'Synopsis' },
  price: { ja: '価格', en: 'Price' },
  stock: { ja: '在庫', en: 'Stock' },
  askAboutThis: { ja: 'この作品について相談する', en: 'Ask the assistant about this' },
  askAbout: { ja: 'この作品についての質問', en: 'Questions about this series' },
  askWho: { ja: 'どんな人に合う？', en: 'Who would enjoy it?' },
  questionWho: { ja: '『{title}』はどんな人におすすめですか？', en: 'Who would enjoy “{title}”?' },
  askOrder: { ja: '読む順番', en: 'Reading order' },
  questionOrder: {
    ja: '『{title}』はどの順番で読めばいいですか？',
    en: 'In what order should I read “{title}”?',
  },
  askSimilar: { ja: '似た作品', en: 'Something similar' },
  questionSimilar: { ja: '『{title}』に似た作品を教えてください', en: 'What is similar to “{title}”?' },
  similar: { ja: '似ている作品', en: 'Similar series' },

  supportTitle: { ja: 'ご利用案内', en: 'Support' },
  supportText: {
    ja: 'よくいただくご質問をまとめました。見つからないときは、アシスタントかお問い合わせ窓口へどうぞ。',
    en: 'The questions we hear most. If yours is not here, ask the assistant or contact us.',
  },
  topics: { ja: '項目', en: 'Topics' },
  contact: { ja: 'お問い合わせ', en: 'Contact us' },
  contactText: { ja: '人の手が必要なときは、こちらへご連絡ください。', en: 'When you would rather talk to a person.' },
  faqEmpty: { ja: 'まだ掲載しているご質問がありません。', en: 'There are no questions here yet.' },

  notFoundTitle: { ja: 'このページは見つかりませんでした', en: 'We could not find this page' },
  notFoundText: {
    ja: 'アドレスが変わったか、取り扱いが終わった可能性があります。',
    en: 'The address may have changed, or the series has left our shelves.',
  },
  backHome: { ja: '作品一覧へ', en: 'To all series' },
} as const satisfies Words

/** The genres of the bundled catalogue, the most common first. A genre that only one shop has is shown by its id. */
export const genreNames = {
  drama: { ja: 'ドラマ', en: 'Drama' },
  comedy: { ja: 'コメディ', en: 'Comedy' },
  action: { ja: 'アクション', en: 'Action' },
  romance: { ja: '恋愛', en: 'Romance' },
  'slice-of-life': { ja: '日常', en: 'Slice of life' },
  school: { ja: '学園', en: 'School' },
  'sci-fi': { ja: 'SF', en: 'Sci-fi' },
  historical: { ja: '歴史', en: 'Historical' },
  adventure: { ja: '冒険', en: 'Adventure' },
  supernatural: { ja: '怪異', en: 'Supernatural' },
  fantasy: { ja: 'ファンタジー', en: 'Fantasy' },
  thriller: { ja: 'サスペンス', en: 'Thriller' },
  sports: { ja: 'スポーツ', en: 'Sports' },
  psychological: { ja: '心理', en: 'Psychological' },
  'dark-fantasy': { ja: 'ダークファンタジー', en: 'Dark fantasy' },
  mystery: { ja: 'ミステリー', en: 'Mystery' },
  horror: { ja: 'ホラー', en: 'Horror' },
  crime: { ja: '犯罪', en: 'Crime' },
  survival: { ja: 'サバイバル', en: 'Survival' },
  music: { ja: '音楽', en: 'Music' },
  work: { ja: 'お仕事', en: 'Work' },
  'post-apocalyptic': { ja: '終末', en: 'Post-apocalyptic' },
  war: { ja: '戦争', en: 'War' },
  'time-travel': { ja: 'タイムトラベル', en: 'Time travel' },
  'martial-arts': { ja: '格闘', en: 'Martial arts' },
  cooking: { ja: '料理', en: 'Cooking' },
  samurai: { ja: '剣客', en: 'Samurai' },
  game: { ja: 'ゲーム・勝負', en: 'Games' },
  cyberpunk: { ja: 'サイバーパンク', en: 'Cyberpunk' },
  animals: { ja: '動物', en: 'Animals' },
  'boys-love': { ja: 'BL', en: 'Boys’ love' },
  medical: { ja: '医療', en: 'Medical' },
  mecha: { ja: 'ロボット', en: 'Mecha' },
  isekai: { ja: '異世界', en: 'Isekai' },
  yuri: { ja: '百合', en: 'Yuri' },
} as const satisfies Words

export const readershipNames = {
  shounen: { ja: '少年', en: 'Shōnen' },
  shoujo: { ja: '少女', en: 'Shōjo' },
  seinen: { ja: '青年', en: 'Seinen' },
  josei: { ja: '女性', en: 'Josei' },
  kodomo: { ja: '児童', en: 'Children' },
} as const satisfies Words

/** The name of an id in a table, else the id itself: a shop may use ids that we do not know. */
export function nameOf(table: Words, id: string, language: Language): string {
  return table[id]?.[language] ?? id
}
