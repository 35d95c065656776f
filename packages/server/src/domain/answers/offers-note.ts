// The sentence that says since when price and stock may have changed, for an answer that was made without the shared catalogue.
import type { Language } from '@mangaassist/protocol'

/** `asOf` null: it is not known when they were current. */
export function offersNote(asOf: number | null, language: Language, { now, timeZone }: Moment): string {
  if (asOf === null)
    return language === 'ja' ? '価格と在庫は変わっている場合があります。' : 'Prices and stock may have changed.'
  const time = new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(now - asOf < SAME_DAY_MS ? {} : ({ day: 'numeric', month: 'long' } as const)),
  }).format(asOf)
  return language === 'ja' ? `価格と在庫は${time}時点のものです。` : `Prices and stock are as of ${time}.`
}

export interface Moment {
  readonly now: number
  /** The time zone of the shop. */
  readonly timeZone: string
}

/** Longer ago, the time alone could be of another day. */
const SAME_DAY_MS = 12 * 3_600_000
