// Validates a message before anything is spent on it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { Refusal } from '#domain/refusal.ts'
import { validate } from './validate.ts'

const { tokens } = defaults
const valid = (message: string) => validate({ message }, tokens, genericCounter).message

function refusedFor(message: string): Readonly<Record<string, unknown>> {
  try {
    validate({ message }, tokens, genericCounter)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.equal(error.details?.['field'], 'message')
    return error.details
  }
  assert.fail('it was accepted')
}

test('an empty message is refused, and so is one of spaces of any width', () => {
  for (const message of ['', ' ', '\n\t ', '　　', '\r\n']) assert.equal(refusedFor(message)['reason'], 'empty')
})

test('length is counted in code points: 5,000 characters may each be a surrogate pair, 5,001 may not', () => {
  // A large enough share of tokens, so that only the characters decide.
  const roomy = { ...tokens, inputPerRequestMax: 20_000 }
  assert.equal([...validate({ message: '𠮟'.repeat(5000) }, roomy, genericCounter).message].length, 5000)
  assert.throws(() => validate({ message: '𠮟'.repeat(5001) }, roomy, genericCounter), { code: 'INVALID_REQUEST' })
  const { reason, limit, length, unit } = refusedFor('a'.repeat(5001))
  assert.deepEqual(
    { reason, limit, length, unit },
    { reason: 'too-long', limit: 5000, length: 5001, unit: 'characters' },
  )
})

test('a text far beyond the limit is refused without being scanned', () => {
  assert.equal(refusedFor('\uD800'.repeat(30_000))['reason'], 'too-long')
})

test('a lone surrogate is refused, wherever it is', () => {
  for (const message of ['\uD83D', 'a\uDE2D', '漫\uD83D画'])
    assert.equal(refusedFor(message)['reason'], 'lone-surrogate')
})

test('control characters are refused with name and position; tab and newline are text', () => {
  for (const codePoint of [0x00, 0x07, 0x0b, 0x1b, 0x7f, 0x85]) {
    const details = refusedFor(`a${String.fromCodePoint(codePoint)}b`)
    assert.deepEqual([details['reason'], details['codePoint'], details['index']], ['control-character', codePoint, 1])
  }
  assert.equal(valid('a\tb\nc'), 'a\tb\nc')
})

test('line endings of any system become newlines', () => {
  assert.equal(valid('a\r\nb\rc'), 'a\nb\nc')
})

test('white space around a message is left out, of any width, and what is inside stays', () => {
  assert.equal(valid(' \n　料理  漫画を教えて\t　\r\n'), '料理  漫画を教えて')
  assert.equal(valid('a'.repeat(5000) + ' '.repeat(20)), 'a'.repeat(5000))
})

test('text is normalised to NFC, so that the same words are the same text', () => {
  assert.equal(valid('か\u3099とe\u0301'), 'がとé')
  assert.equal(valid('か\u3099'.repeat(2000)), 'が'.repeat(2000))
})

test('5,000 characters of ordinary Japanese are a message', () => {
  const message = '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。'.repeat(200).slice(0, 5000)
  assert.equal(valid(message), message)
})

test('symbols that fit in characters but not in tokens are refused with the limit in tokens, and in characters for the shopper', () => {
  const symbols = '\u{1F469}\u200D\u{1F469}\u200D\u{1F466}\u{1D11E}'.repeat(833)
  const { reason, limit, unit, length, charactersMax } = refusedFor(symbols)
  assert.deepEqual({ reason, limit, unit }, { reason: 'too-long', limit: 10_000, unit: 'tokens' })
  assert.equal(length, genericCounter.text(symbols))
  const fits = Number(charactersMax)
  assert.ok(fits % 10 === 0 && fits > 0 && fits < [...symbols].length)
  assert.ok(genericCounter.text([...symbols].slice(0, fits).join('')) <= 10_000)
})

test('with a small limit per request, the message’s limit is what remains beside the other shares', () => {
  const short = { ...tokens, messageLengthMax: 1000 }
  assert.throws(
    () => validate({ message: '\u{1D11E}'.repeat(1000) }, { ...short, inputPerRequestMax: 1500 }, genericCounter),
    {
      details: {
        field: 'message',
        reason: 'too-long',
        limit: 2000,
        length: genericCounter.text('\u{1D11E}'.repeat(1000)),
        unit: 'tokens',
        charactersMax: Math.floor((1000 * 2000) / genericCounter.text('\u{1D11E}'.repeat(1000)) / 10) * 10,
      },
    },
  )
})

test('the language is what the client says, else what the text shows', () => {
  assert.equal(validate({ message: '漫画' }, tokens, genericCounter).language, 'ja')
  assert.equal(validate({ message: 'manga' }, tokens, genericCounter).language, 'en')
  assert.equal(validate({ message: '漫画', language: 'en' }, tokens, genericCounter).language, 'en')
})

test('a character that stands for several (NFKC) is counted in its expanded form', () => {
  const roomy = { ...tokens, inputPerRequestMax: 200_000 }
  const accept = (message: string) => validate({ message }, roomy, genericCounter)
  assert.throws(() => accept('ﷺ'.repeat(5000)), { code: 'INVALID_REQUEST' })
  assert.throws(() => accept('㌖'.repeat(3000)), { code: 'INVALID_REQUEST' })
  assert.ok(accept('ﷺ'.repeat(500)))
  assert.ok(accept('でも……'.repeat(1000)))
  assert.ok(accept('ｶﾞ'.repeat(2500)))
})
