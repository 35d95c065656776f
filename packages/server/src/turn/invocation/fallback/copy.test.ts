// The assistant's own messages when no model answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { deferredWords, gaveUpWords, messageWords, redirectWords } from './copy.ts'
import type { Words } from './copy.ts'

const LANGUAGES = ['ja', 'en'] as const
const POPULAR = ['one', 'two', 'three', 'four'].map((id) => ({ id, title: { ja: `第${id}`, en: `The ${id}` } }))
const PLAIN = { popular: [], isHandedOver: false }
const wordsOf = (language: 'ja' | 'en', turnId = 'turn_1'): Words => ({ language, turnId, store: defaults.store })
const SAYINGS: Readonly<Record<string, (words: Words) => string>> = {
  message: (words) => messageWords(words, PLAIN),
  deferred: (words) => deferredWords(words, 900_000),
  gaveUp: gaveUpWords,
  redirect: redirectWords,
}

for (const [name, say] of Object.entries(SAYINGS)) {
  test(`${name}: the message is in the language of the question, varies between turns, and is constant for one`, () => {
    for (const language of LANGUAGES) {
      const said = Array.from({ length: 40 }, (_, number) => say(wordsOf(language, `turn_${number}`)))
      assert.ok(new Set(said).size > 1)
      for (const text of said) assert.equal(detectLanguage(text), language)
      assert.equal(say(wordsOf(language)), say(wordsOf(language)))
    }
  })
}

test('the message names the support page and the shop’s contact', () => {
  for (const language of LANGUAGES) {
    const text = messageWords(wordsOf(language), PLAIN)
    assert.ok(text.includes('(/support)') && text.includes(defaults.store.contact[language]))
    assert.ok(!text.includes('/series/'))
  }
})

test('it names at most three popular series by their titles in that language, with valid links', () => {
  for (const language of LANGUAGES) {
    const text = messageWords(wordsOf(language), { ...PLAIN, popular: POPULAR })
    assert.ok(text.includes(`[${POPULAR[0]?.title[language]}](/series/one)`))
    assert.deepEqual([text.includes('/series/three'), text.includes('/series/four')], [true, false])
  }
  const odd = [{ id: 'odd', title: { ja: '[推しの子]', en: '[Oshi no Ko]' } }]
  const text = messageWords(wordsOf('en'), { ...PLAIN, popular: odd })
  assert.ok(text.includes(String.raw`[\[Oshi no Ko\]](/series/odd)`))
})

test('it mentions a person only when one was called', () => {
  const said = (isHandedOver: boolean) => messageWords(wordsOf('en'), { popular: [], isHandedOver })
  assert.ok(said(true).includes('member of our staff'))
  assert.ok(!said(false).includes('staff'))
})

test('a deferred question’s message says so, and for how long', () => {
  assert.match(deferredWords(wordsOf('en'), 900_000), /conversation.*15 minutes/)
  assert.match(deferredWords(wordsOf('ja'), 20_000), /会話.*1分/)
})

test('a redirect names what can be asked instead', () => {
  assert.match(redirectWords(wordsOf('en')), /I can help you find/)
  assert.match(redirectWords(wordsOf('ja')), /作品探し/)
})
