// When the built-in responder is certain, compared with the evaluation sets.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Language } from '@mangaassist/protocol'
import { wireLookUp } from '#wiring/profiles/look-up.ts'
import { introducing, suggesting } from '@mangaassist/bookseller/fixtures/dialogue'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { readinessOf } from '@mangaassist/bookseller/dialogue/readiness'

const workspaceRoot = new URL('../../../', import.meta.url).pathname

interface Case {
  readonly message: string
  readonly language: Language
  readonly kind: string
  readonly mentioned: readonly string[]
}

function casesOf(file: string): readonly Case[] {
  const lines = readFileSync(`${workspaceRoot}packages/bookseller/evaluation/${file}.jsonl`, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Case)
}

test('the FAQ answers its questions in both evaluation sets, and no others', async () => {
  const lookUp = await wireLookUp()
  const answered = { asked: 0, right: 0, wrong: [] as string[] }
  for (const { message, language, kind } of ['intents', 'intents-held-out'].flatMap(casesOf)) {
    const found = await lookUp.find({ message, language, history: [], limit: 5 }, new AbortController().signal)
    if (kind === 'faq') answered.asked += 1
    if (found.intent.kind !== 'faq') continue
    if (kind === 'faq') answered.right += 1
    else answered.wrong.push(message)
  }
  assert.ok(answered.wrong.length <= 2, answered.wrong.join('\n'))
  assert.ok(answered.right >= 26, `${answered.right} of ${answered.asked} are answered`)
})

test('a question about something else is not answered with the contact page', async () => {
  const lookUp = await wireLookUp()
  for (const [message, language] of [
    ['a question about robots', 'en'],
    ['one more question about dragons', 'en'],
    ['stories about a human and a robot', 'en'],
    ['who is the strongest person?', 'en'],
    ['ロボットについての質問', 'ja'],
  ] as const) {
    const { intent } = await lookUp.find({ message, language, history: [], limit: 5 }, new AbortController().signal)
    assert.notEqual(intent.kind, 'faq', message)
  }
})

test('a certain answer is right in 19 of 20 questions, over both evaluation sets', async () => {
  const lookUp = await wireLookUp()
  let [sure, right, asks] = [0, 0, 0]
  for (const file of ['intents', 'intents-held-out']) {
    for (const asked of casesOf(file)) {
      asks += 1
      const found = await lookUp.find({ ...asked, history: [], limit: 5 }, new AbortController().signal)
      if (readinessOf(found) !== 'sure') continue
      sure += 1
      const ids = found.reading.series.flatMap(({ id }) => id ?? [])
      if (ids.toSorted().join() === asked.mentioned.toSorted().join()) right += 1
    }
  }
  assert.ok(sure > asks / 3, `${sure} of ${asks} are sure`)
  assert.ok(right >= sure * 0.95, `${right} of ${sure} are right`)
})

test('a question that depends on the conversation, or names nothing that was found, is not certain', () => {
  assert.equal(readinessOf(introducing()), 'sure')
  assert.equal(readinessOf(introducing({ products: [] })), 'none')
  assert.equal(readinessOf(UNGROUNDED), 'none')
  assert.equal(readinessOf(suggesting()), 'likely')
  assert.equal(readinessOf(suggesting({ isUnsure: true })), 'none')
})
