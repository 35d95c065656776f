// Templates that the pages of cart and orders share: sums, a message about what went wrong, and the mark of the demo.
import { describeError, errorCodes } from '@mangaassist/protocol'
import type { CartView, ErrorCode, Language } from '@mangaassist/protocol'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { html, NOTHING } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { SayCart } from './words.ts'

export function sumsView(sums: Pick<CartView, 'itemsYen' | 'shippingYen' | 'totalYen'>, say: SayCart): Html {
  const rows: readonly (readonly [string, string])[] = [
    [say('items'), say('yen', sums.itemsYen)],
    [say('shipping'), sums.shippingYen === 0 ? say('free') : say('yen', sums.shippingYen)],
  ]
  return html`<dl class="sums">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
    <div class="sum-total">
      <dt>${say('total')}</dt>
      <dd data-testid="total">${say('yen', sums.totalYen)}</dd>
    </div>
  </dl>`
}

export function demoNote(say: SayCart): Html {
  return html`<p class="demo-note" data-testid="demo-note"><strong>${say('demoMark')}</strong> ${say('demoOrder')}</p>`
}

const REASON = /^[a-z-]{1,64}$/

/** An error in an address: its code, and its reason where that is a word. */
export function errorWord(code: ErrorCode, reason: unknown): string {
  return typeof reason === 'string' && REASON.test(reason) ? `${code}.${reason}` : code
}

/** The message of an error that an address names; nothing for other words. */
export function errorNote(given: string | null, language: Language): Html {
  const [word, reason] = (given ?? '').split('.')
  const code = errorCodes.find((one) => one === word)
  if (code === undefined) return NOTHING
  const { message } = describeError(code, language, { reason })
  return html`<p class="error-note" role="alert" data-testid="error-note">${message}</p>`
}

/** A day in the shop's time zone: 2026年11月18日, or 18 November 2026. */
export function dayView(at: string, language: Language, timeZone: string): Html {
  const format = new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-GB', { timeZone, dateStyle: 'long' })
  return html`<time datetime="${at}">${format.format(fromIsoTime(at))}</time>`
}
