// Every table of the console has a text in both languages, with the same placeholders; Japanese texts are Japanese, English ones not.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import test from 'node:test'
import type { Words } from '../../i18n.ts'
import { speakFilled } from '../shell/say.ts'

const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'))
const tables = (await Promise.all(files.map((name) => import(`./${name}`)))).flatMap(
  (module: Readonly<Record<string, Words>>) => Object.entries(module),
)
const japanese = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u
/** Names that are the same in both languages, and the name of the other language. */
const alike = /^(?:otherLanguage|faq|p95)/

test('there is a table in every file', () => assert.ok(tables.length >= files.length))

for (const [name, table] of tables) {
  test(`${name} has every word in both languages`, () => {
    for (const [word, { en, ja }] of Object.entries(table)) {
      const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()
      assert.deepEqual(placeholders(ja), placeholders(en), word)
      assert.ok(en.trim() !== '' && ja.trim() !== '', word)
      if (alike.test(word)) continue
      assert.doesNotMatch(en, japanese, word)
      assert.ok(japanese.test(ja) || ja.startsWith('{'), word)
    }
  })
}

test('placeholders are filled, and one without a value stays', () => {
  const say = speakFilled({ hello: { en: 'Hello {name}, {n}', ja: '{name}さん、{n}' } }, 'en')
  assert.equal(say('hello', { name: '<b>Aki</b>' }), 'Hello <b>Aki</b>, {n}')
})
