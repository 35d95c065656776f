// All texts of the chat in both languages, typed. `{n}` is a number, formatted for the language. Texts of the catalogue are not here, nor
// those of the storefront's pages, which the server renders (`packages/server/src/edge/storefront/words.ts`).
import type { Language } from '@mangaassist/protocol'
import { exchangeWords } from './chat/exchange/words.ts'
import { panelWords } from './chat/panel/words.ts'
import type { Words } from './speak.ts'

export { speak } from './speak.ts'
export type { Say, Words } from './speak.ts'

export const chatWords = {
  ...exchangeWords,
  ...panelWords,
  name: { ja: '漫画アシスタント', en: 'Manga assistant' },
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
  placeholder: { ja: '作品名や気分をどうぞ…', en: 'A title or a mood…' },
  send: { ja: '送信', en: 'Send' },
  stop: { ja: '回答を止める', en: 'Stop the answer' },
  hint: {
    ja: '価格と在庫は、回答した時点のものです。',
    en: 'Prices and stock are those at the time of the answer.',
  },
  you: { ja: 'あなた', en: 'You' },
  assistant: { ja: 'アシスタント', en: 'Assistant' },
  retry: { ja: 'もう一度試す', en: 'Try again' },
  askElsewhere: { ja: '新しい会話で質問する', en: 'Ask in a new conversation' },
  restoring: { ja: '前回の会話を読み込んでいます…', en: 'Loading your conversation…' },

  thinking: { ja: '考えています…', en: 'Thinking…' },
  thinksLonger: { ja: 'じっくり考えています…', en: 'Thinking it through…' },
  stillWorking: { ja: 'もう少しお待ちください。お調べしています…', en: 'Still working on it, one moment…' },
  queued: { ja: '順番にご案内しています（{n}番目）…', en: 'You are number {n} in line…' },
  answerContinues: { ja: '回答が続いています。', en: 'The answer continues.' },
  answered: { ja: '回答：', en: 'Answer: ' },
  answeredProducts: { ja: '作品を{n}点ご紹介しています。', en: 'Titles shown: {n}.' },

  connectionLost: { ja: '接続が切れました。つなぎ直しています…', en: 'The connection was lost. Reconnecting…' },
  connectionBack: { ja: '接続が戻りました。', en: 'The connection is back.' },
  unreachable: { ja: 'サーバーに接続できませんでした。', en: 'The server could not be reached.' },
  cannotLoad: { ja: '前回の会話を読み込めませんでした。', en: 'The last conversation could not be loaded.' },
  sessionGone: { ja: '前回の会話は期限が切れました。', en: 'Your last conversation has expired.' },
  transferred: {
    ja: '別の端末でこの会話が続いています。ここからも送信できます。',
    en: 'This conversation continues on another device. You can still write here.',
  },
  transferredTab: {
    ja: '別のタブでこの会話が続いています。ここからも送信できます。',
    en: 'This conversation continues in another tab. You can still write here.',
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
  tooLongSomehow: {
    ja: 'メッセージが長すぎます。短くして、もう一度お送りください。',
    en: 'Your message is too long. Please shorten it and send it again.',
  },
  voiceStart: { ja: '音声で入力', en: 'Speak your question' },
  voiceStop: { ja: '音声入力を終える', en: 'Stop listening' },
  voiceRefused: {
    ja: 'マイクを使えませんでした。ブラウザーの設定でマイクの使用を許可してください。',
    en: 'The microphone could not be used. Please allow it in your browser’s settings.',
  },
  voiceFailed: {
    ja: '音声を聞き取れませんでした。もう一度お試しになるか、文字でご入力ください。',
    en: 'Your voice could not be recognised. Please try again, or type your question.',
  },
  limitSeconds: { ja: 'あと{n}秒で送信できます。', en: 'You can send it in {n} s.' },
  limitFrom: { ja: '{time}ごろから、また送信できます。', en: 'You can send it again from about {time}.' },
  limitOver: { ja: '送信できます。', en: 'You can send it now.' },
  charactersLeft: { ja: 'あと{n}文字', en: '{n} characters left' },
  charactersOver: { ja: '{n}文字超えています', en: '{n} characters too many' },
} as const satisfies Words

/** The name of an id in a table, else the id itself: a shop may use ids that we do not know. */
export function nameOf(table: Words, id: string, language: Language): string {
  return table[id]?.[language] ?? id
}
