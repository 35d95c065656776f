// Prompt files: their version, their placeholders and their problems.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledPrompt, problemsOfPrompt, PROMPT_BYTES_MAX, promptName, systemPrompts } from './system-prompts.ts'

const file = (text: string, version = 'house-2') => `---\nversion: ${version}\n---\n${text}\n`

test('a file has a version and a text, however its lines end', () => {
  const ja = file('ようこそ、{{store}}へ。')
  assert.deepEqual(problemsOfPrompt(ja), [])
  assert.equal(promptName(`\uFEFF${ja.replaceAll('\n', '\r\n')}`), 'house-2')
  const { texts, version } = systemPrompts({ ja, en: file('Welcome to {{ store }}.') })
  assert.deepEqual(texts, { ja: 'ようこそ、{{store}}へ。', en: 'Welcome to {{ store }}.' })
  assert.match(version, /^house-2\.[0-9a-f]{8}$/u)
})

test('another text in either language is another version, even under the same name', () => {
  const of = (ja: string, en: string) => systemPrompts({ ja: file(ja), en: file(en) }).version
  assert.equal(of('a', 'b'), of('a', 'b'))
  assert.equal(new Set([of('a', 'b'), of('a', 'c'), of('c', 'b'), of('ab', '')]).size, 4)
})

test('placeholders are filled, and a value is never read as one', () => {
  const values = { store: '{{contact}}', contact: 'desk $& $1' }
  assert.equal(
    filledPrompt('{{store}} / {{ contact }} / {{ store }}', values),
    '{{contact}} / desk $& $1 / {{contact}}',
  )
})

test('every problem of a file is named', () => {
  assert.match(problemsOfPrompt('Hello')[0] ?? '', /does not begin with/u)
  assert.match(problemsOfPrompt(file('Hi', 'Two Words'))[0] ?? '', /version "Two Words"/u)
  assert.match(problemsOfPrompt(file(' '))[0] ?? '', /no text/u)
  assert.match(problemsOfPrompt(file('x'.repeat(PROMPT_BYTES_MAX)))[0] ?? '', /larger than/u)
  assert.deepEqual(problemsOfPrompt(file('{{shop}} {{store}} {{price}}')), [
    'has the unknown placeholder {{shop}}; known: {{store}}, {{contact}}',
    'has the unknown placeholder {{price}}; known: {{store}}, {{contact}}',
  ])
})
