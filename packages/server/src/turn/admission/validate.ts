// Validates a message before anything is spent on it. The result is NFC, has no lone surrogates, no control characters and no white space
// around it, and fits the request's share of tokens.
import type { Language } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import type { TokenCounter } from '#domain/estimator/token-counter.ts'
import { messageTokensMax } from '#domain/budget/input-ceiling.ts'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { Refusal } from '#domain/refusal.ts'

export interface ValidMessage {
  readonly message: string
  readonly language: Language
}

// Tab and newline are text; the other C0 and C1 controls are not.
// oxlint-disable-next-line no-control-regex -- finding them is the point
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/u

/** A text of spaces, joiners and other invisible characters alone counts as empty. */
const VISIBLE = /[^\p{Z}\p{C}\s]/u

function invalid(reason: string, details: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal('INVALID_REQUEST', { details: { field: 'message', reason, ...details } })
}

/** How much longer a text may become when its characters are expanded (NFKC), as `…` becomes three. */
const WRITTEN_OUT_FACTOR = 2

const ROUND_TO = 10

function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** How many characters of this text fit, in round numbers: shoppers do not know tokens. */
function charactersIn(text: string, share: number): number {
  const characters = Math.floor(codePointLength(text) * share)
  return characters < ROUND_TO ? characters : characters - (characters % ROUND_TO)
}

export function validate(
  input: { readonly message: string; readonly language?: Language; readonly interfaceLanguage?: Language },
  tokens: Config['tokens'],
  counter: TokenCounter,
): ValidMessage {
  // Each code point has at most two units, so a far longer text need not be scanned.
  if (input.message.length > 4 * tokens.messageLengthMax)
    throw invalid('too-long', { limit: tokens.messageLengthMax, unit: 'characters' })
  if (!input.message.isWellFormed()) throw invalid('lone-surrogate')
  const written = input.message.replaceAll('\r\n', '\n').replaceAll('\r', '\n').normalize('NFC')
  const control = CONTROL.exec(written)
  if (control !== null)
    throw invalid('control-character', { codePoint: control[0].codePointAt(0), index: control.index })
  if (!VISIBLE.test(written)) throw invalid('empty')
  const message = written.trim()
  const length = codePointLength(message)
  if (length > tokens.messageLengthMax)
    throw invalid('too-long', { limit: tokens.messageLengthMax, length, unit: 'characters' })
  const writtenOut = message.normalize('NFKC').length
  if (writtenOut > WRITTEN_OUT_FACTOR * tokens.messageLengthMax)
    throw invalid('too-long', { limit: tokens.messageLengthMax, length: writtenOut, unit: 'characters' })
  const limit = messageTokensMax(tokens)
  const estimate = counter.text(message)
  if (estimate > limit)
    throw invalid('too-long', {
      limit,
      length: estimate,
      unit: 'tokens',
      charactersMax: charactersIn(message, limit / estimate),
    })
  // What the message alone tells; the conversation decides.
  const detected = detectLanguage(message)
  const language = input.language ?? (/\p{L}/u.test(message) ? detected : (input.interfaceLanguage ?? detected))
  return { message, language }
}
