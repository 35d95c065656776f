// The role of a span among those of its kind, by the words around it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES } from '../reading.ts'
import type { Role } from '../reading.ts'
import { hashOf } from './features.ts'
import { spanFeatures, withRoles, clauseWords } from './span-roles.ts'
import { tokensOf } from './tokens.ts'
import type { Weights } from './weights.ts'

/** Weights of single features. */
function speaking(...rows: readonly (readonly [feature: string, role: Role])[]): Weights {
  return {
    add(feature, scores) {
      for (const [name, role] of rows) if (hashOf(`span ${name}`) === feature) scores[ROLES.indexOf(role)]! += 1
    },
  }
}

function roleOf(text: string, marked: string, weights: Weights, role: Role = 'want'): Role | undefined {
  const from = text.indexOf(marked)
  const spans = [{ role, from, to: from + marked.length }]
  return withRoles(tokensOf(text, []), spans, { weights, previous: 'none' })[0]?.role
}

test('a word at the end of the clause decides, however far it is', () => {
  const weights = speaking(['after 無理', 'avoid'])
  assert.equal(roleOf('ホラーとかグロとかはちょっと無理です', 'ホラー', weights), 'avoid')
  assert.equal(roleOf('ホラーが好きです。仕事は無理です', 'ホラー', weights), 'want')
})

test('words before the span decide in English, and a pause separates', () => {
  const weights = speaking(['before hate', 'avoid'])
  assert.equal(roleOf('I hate romance', 'romance', weights), 'avoid')
  assert.equal(roleOf('I hate waiting, so give me romance', 'romance', weights), 'want')
})

test('a role of another kind is left as it is', () => {
  assert.equal(roleOf('10歳の娘に', '10歳', speaking(['always', 'avoid']), 'age'), 'age')
})

test('a span knows the role of the one before it', () => {
  const text = 'no horror or gore'
  const words = clauseWords(tokensOf(text, []))
  const last = { role: 'avoid' as const, from: 3, to: 9 }
  const features = spanFeatures(words, { role: 'want', from: 13, to: 17 }, { previous: 'none', last })
  assert.ok(features.includes(hashOf('span last avoid joined')))
})
