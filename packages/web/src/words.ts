// Every word of the page in both languages, and how they get onto it. An element names its word (`data-word`), so that
// switching the language rewrites the whole page, the conversation's notes included.
import type { Language } from '@mangaassist/protocol'

const words = {
  tagline: { ja: '漫画選びとお買い物のご相談', en: 'Help with choosing and buying manga' },
  newConversation: { ja: '新しい会話', en: 'New conversation' },
  welcomeTitle: { ja: 'どんな漫画をお探しですか？', en: 'What would you like to read?' },
  welcomeText: {
    ja: 'おすすめ、在庫や価格、配送や返品のことまで、お気軽にお尋ねください。',
    en: 'Ask for recommendations, stock and prices, or about shipping and returns.',
  },
  sample1: { ja: '進撃の巨人が好きなら次は何を読む？', en: 'Something like Spy x Family but darker' },
  sample2: { ja: '完結済みで10巻以内のおすすめは？', en: 'A finished series of ten volumes or fewer' },
  sample3: { ja: '送料と返品について教えて', en: 'How do shipping and returns work?' },
  conversation: { ja: '会話', en: 'Conversation' },
  messageLabel: { ja: 'ご質問', en: 'Your question' },
  messagePlaceholder: { ja: 'メッセージを入力…', en: 'Type a message…' },
  send: { ja: '送信', en: 'Send' },
  stop: { ja: '停止', en: 'Stop' },
  hint: {
    ja: 'Enterで送信、Shift＋Enterで改行。価格と在庫は回答時点のものです。',
    en: 'Enter sends, Shift+Enter starts a new line. Prices and stock are those of the moment of the answer.',
  },
  you: { ja: 'あなた', en: 'You' },
  assistant: { ja: 'アシスタント', en: 'Assistant' },
  retry: { ja: 'もう一度試す', en: 'Try again' },

  thinking: { ja: '考えています…', en: 'Thinking…' },
  stillWorking: { ja: 'もう少しお待ちください。お調べしています…', en: 'Still working on it, one moment…' },
  queued: { ja: '順番にご案内しています（{n}番目）…', en: 'You are number {n} in line…' },

  tierEconomy: { ja: '軽量モデルがお答えしました', en: 'Answered by our lighter model' },
  tierCached: { ja: '以前の回答をもとにお答えしました', en: 'Answered from an earlier answer' },
  tierFaq: { ja: 'よくあるご質問からお答えしました', en: 'Answered from our FAQ' },
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
  transferred: { ja: '別の端末でこの会話が続いています。', en: 'This conversation goes on on another device.' },
  unexpected: { ja: '問題が発生しました。', en: 'Something went wrong.' },

  products: { ja: 'ご紹介した作品', en: 'Titles mentioned' },
  pricePerVolume: { ja: '1冊 {n}円', en: '¥{n} a volume' },
  volumes: { ja: '全{n}巻', en: '{n} volumes' },
  volumesSoFar: { ja: '既刊{n}巻', en: '{n} volumes so far' },
  statusCompleted: { ja: '完結', en: 'Completed' },
  statusRunning: { ja: '連載中', en: 'Ongoing' },
  statusHiatus: { ja: '休載中', en: 'On hiatus' },
  inStock: { ja: '在庫あり', en: 'In stock' },
  fewLeft: { ja: '残り{n}点', en: 'Only {n} left' },
  outOfStock: { ja: '在庫なし', en: 'Out of stock' },
} as const satisfies Record<string, Record<Language, string>>

export type Word = keyof typeof words

export function languageNow(): Language {
  return document.documentElement.lang === 'en' ? 'en' : 'ja'
}

/** Puts a word on an element, so that it follows the page's language from now on. */
export function say<Target extends HTMLElement>(element: Target, word: Word, n?: number): Target {
  element.dataset['word'] = word
  if (n === undefined) delete element.dataset['n']
  else element.dataset['n'] = String(n)
  element.textContent = textOf(word, n)
  return element
}

/** Takes word and text off again. */
export function hush(element: HTMLElement): void {
  delete element.dataset['word']
  element.textContent = ''
}

/** As `say`, for those who hear the page. */
export function label(element: HTMLElement, word: Word): void {
  element.dataset['wordLabel'] = word
  element.ariaLabel = textOf(word)
}

export function speak(language: Language): void {
  document.documentElement.lang = language
  for (const element of document.querySelectorAll<HTMLElement>('[data-word]')) {
    const { word, n } = element.dataset
    say(element, word as Word, n === undefined ? undefined : Number(n))
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-word-label]')) {
    label(element, element.dataset['wordLabel'] as Word)
  }
  for (const element of document.querySelectorAll<HTMLTextAreaElement>('[data-word-placeholder]')) {
    element.placeholder = textOf(element.dataset['wordPlaceholder'] as Word)
  }
}

function textOf(word: Word, n = 0): string {
  const language = languageNow()
  return words[word][language].replace('{n}', n.toLocaleString(language))
}
