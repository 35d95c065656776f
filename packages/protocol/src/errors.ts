// The catalogue of error codes: HTTP status, wait, and the message that the shopper reads.
// A test compares it with `docs/errors.md` in both directions.
import Type from 'typebox'
import type { Language, Localized } from './vocabulary.ts'

interface ErrorEntry {
  readonly status: number
  /** The default of `retryAfterMs`, in seconds; absent when waiting does not help. */
  readonly retryAfterSeconds?: number
  readonly message: Localized
  /** Replaces `message` when `details.scope` is the budget of the conversation. */
  readonly conversationMessage?: Localized
  /** Replaces `message` by `details.reason`. `{n}` is how many characters fit; without that number it stays `message`. */
  readonly reasonMessages?: Readonly<Record<string, Localized>>
}

export const errorCatalogue = {
  QUOTA_EXCEEDED: {
    status: 429,
    message: {
      ja: '本日ご利用いただける分を使い切りました。日付が変わるとまたお使いいただけます。',
      en: 'You have used up today’s allowance. It will be available again when the day turns.',
    },
    conversationMessage: {
      ja: 'この会話でお答えできる分を使い切りました。新しい会話を始めていただければ、すぐに続きをご質問いただけます。',
      en: 'This conversation has reached its limit. Please start a new one: you can continue there at once.',
    },
  },
  RATE_LIMITED: {
    status: 429,
    message: {
      ja: 'メッセージの間隔が短すぎるようです。少し待ってからもう一度お送りください。',
      en: 'That was a little too fast for us. Please wait a moment and send it again.',
    },
  },
  QUEUE_FULL: {
    status: 429,
    message: {
      ja: 'ただいま大変混み合っています。しばらくしてからもう一度お試しください。',
      en: 'We are very busy right now. Please try again in a little while.',
    },
  },
  MODEL_TIMEOUT: {
    status: 504,
    retryAfterSeconds: 2,
    message: {
      ja: 'お答えの準備に時間がかかりすぎました。もう一度お試しください。',
      en: 'The answer took too long to prepare. Please try again.',
    },
  },
  INVALID_REQUEST: {
    status: 400,
    message: {
      ja: 'この内容は受け取れませんでした。入力をご確認ください。',
      en: 'We could not accept this request. Please check what was sent.',
    },
    reasonMessages: {
      'too-long': {
        ja: '文章が長すぎます。{n}文字以内にしてお送りください。',
        en: 'This is too long: {n} characters fit. Please make it shorter and send it again.',
      },
    },
  },
  UNAUTHENTICATED: {
    status: 401,
    message: {
      ja: 'ご本人の確認ができませんでした。もう一度ログインしてください。',
      en: 'We could not verify who you are. Please sign in again.',
    },
    reasonMessages: {
      'cookie-required': {
        ja: 'お客さまのカートを用意するにはCookieが必要です。Cookieを許可して、もう一度お試しください。',
        en: 'To keep a cart for you we need a cookie. Please allow cookies for this shop and try again.',
      },
    },
  },
  FORBIDDEN: {
    status: 403,
    message: {
      ja: 'この操作は許可されていません。',
      en: 'You are not allowed to do this.',
    },
    reasonMessages: {
      blocked: {
        ja: '申し訳ございませんが、現在こちらからのご利用をお断りしています。お心当たりのない場合は、店舗までお問い合わせください。',
        en: 'We are not taking requests from here at the moment. If you think this is a mistake, please contact the store.',
      },
    },
  },
  NOT_FOUND: {
    status: 404,
    message: {
      ja: 'お探しのものは見つかりませんでした。',
      en: 'We could not find what you asked for.',
    },
  },
  SESSION_EXPIRED: {
    status: 410,
    message: {
      ja: 'この会話は期限が切れました。新しい会話を始めてください。',
      en: 'This conversation has expired. Please start a new one.',
    },
  },
  SESSION_BUSY: {
    status: 409,
    retryAfterSeconds: 1,
    message: {
      ja: '前のご質問にお答えしているところです。終わってからもう一度お送りください。',
      en: 'We are still answering your last question. Please send this once it is done.',
    },
  },
  VERSION_CONFLICT: {
    status: 409,
    message: {
      ja: 'この会話は別の端末で先に進んでいます。最新の内容を読み込んでください。',
      en: 'This conversation has moved on elsewhere. Please load its latest state.',
    },
  },
  OUT_OF_STOCK: {
    status: 409,
    message: {
      ja: '申し訳ございません。ご希望の巻は在庫が足りません。数量をご確認ください。',
      en: 'We are sorry: we do not have enough copies of this in stock. Please check the quantity.',
    },
  },
  CART_CHANGED: {
    status: 409,
    message: {
      ja: 'カートの内容または価格が変わりました。最新の内容をご確認のうえ、もう一度お進みください。',
      en: 'Your cart or a price in it has changed. Please check it and try again.',
    },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: {
      ja: '送られた内容が大きすぎます。短くしてからお送りください。',
      en: 'That is too large for us. Please make it shorter and send it again.',
    },
  },
  CONTENT_BLOCKED: {
    status: 422,
    message: {
      ja: 'この内容にはお答えできません。漫画やお買い物についてのご質問をお待ちしています。',
      en: 'We cannot answer this. Questions about manga and your shopping are always welcome.',
    },
  },
  INTERNAL_ERROR: {
    status: 500,
    retryAfterSeconds: 10,
    message: {
      ja: 'こちらの不具合でお答えできませんでした。しばらくしてからもう一度お試しください。',
      en: 'Something went wrong on our side. Please try again in a moment.',
    },
  },
  MAINTENANCE: {
    status: 503,
    message: {
      ja: 'ただいまメンテナンス中です。終わり次第またご利用いただけます。',
      en: 'We are doing some maintenance and will be back as soon as it is done.',
    },
    reasonMessages: {
      'read-only': {
        ja: 'ただいま新しいご質問の受付を休止しています。これまでの会話と商品はご覧いただけます。',
        en: 'We are not taking new questions at the moment. You can still read your conversations and browse the store.',
      },
      draining: {
        ja: '別のサーバーに切り替わりました。もう一度お送りいただければ、すぐにお答えします。',
        en: 'We have just switched to another server. Please send it again: it answers at once.',
      },
      restarting: {
        ja: 'ただいま再起動しています。少し待ってからもう一度お送りください。',
        en: 'We are just restarting. Please send it again in a moment.',
      },
    },
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorCatalogue
export const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[]
export const ErrorCode = Type.Unsafe<ErrorCode>(Type.Enum([...errorCodes]))

/** The budget of the conversation is used up, not the one of the day: a new conversation helps at once. */
function isConversationUsedUp(code: ErrorCode, details?: Readonly<Record<string, unknown>>): boolean {
  const scope = details?.['scope']
  return code === 'QUOTA_EXCEEDED' && typeof scope === 'string' && scope.startsWith('session-')
}

/** How many characters of a text fit: what is counted in tokens has them apart. */
function charactersThatFit({ charactersMax, limit, unit }: Readonly<Record<string, unknown>>): string | undefined {
  const most = unit === 'tokens' ? charactersMax : limit
  return typeof most === 'number' ? most.toLocaleString('en') : undefined
}

function messageOf(entry: ErrorEntry, language: Language, details: Readonly<Record<string, unknown>> = {}): string {
  const { reason } = details
  const { reasonMessages = {} } = entry
  const words = typeof reason === 'string' && Object.hasOwn(reasonMessages, reason) ? reasonMessages[reason] : undefined
  const given = (words ?? entry.message)[language]
  if (!given.includes('{n}')) return given
  const n = charactersThatFit(details)
  return n === undefined ? entry.message[language] : given.replace('{n}', n)
}

/** `details` are those of the refusal: they select between the messages of a code. */
export function describeError(
  code: ErrorCode,
  language: Language,
  details?: Readonly<Record<string, unknown>>,
): { status: number; message: string; retryAfterMs?: number } {
  const entry: ErrorEntry = errorCatalogue[code]
  const { conversationMessage } = entry
  const isConversation = conversationMessage !== undefined && isConversationUsedUp(code, details)
  const message = isConversation ? conversationMessage[language] : messageOf(entry, language, details)
  const base = { status: entry.status, message }
  return entry.retryAfterSeconds === undefined ? base : { ...base, retryAfterMs: entry.retryAfterSeconds * 1000 }
}
