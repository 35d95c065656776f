// The bundled FAQ on phrasings that its recognition was not trained on.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import type { FaqEntry } from '../catalogue/catalogue.ts'
import { faqIndex } from '../catalogue/faq-index.ts'
import { decodeFaqWeights } from '../catalogue/faq-weights.ts'
import { readWordVectors } from '../retrieval/word-vectors.ts'
import { measureFaq } from './measure-faq.ts'
import { phrasingsIn } from './phrasings.ts'

const packageFile = (path: string) => readFileSync(join(import.meta.dirname, '../..', path))
const data = (path: string) => packageFile(`../../data/${path}`)
const heldOut = phrasingsIn(packageFile('evaluation/faq/held-out.txt').toString())
const taught = phrasingsIn(packageFile('training/faq/phrasings.txt').toString())
const faq = parse(data('faq.yaml').toString()) as readonly FaqEntry[]
const { match } = faqIndex(faq, {
  vectors: readWordVectors(data('vectors/words.bin')),
  faqWeights: decodeFaqWeights(data('understanding/faq.bin')),
})

test('four in five phrasings that nothing was trained on are recognised, and seven in eight recognised entries are right', () => {
  const { languages } = measureFaq(heldOut, { match })
  for (const { asked, recognised, right } of Object.values(languages)) {
    assert.equal(asked, 5 * faq.length)
    assert.ok(right / asked >= 0.8, `recall ${right / asked}`)
    assert.ok(right / recognised >= 0.875, `precision ${right / recognised}`)
  }
})

test('every entry has phrasings to learn from and to measure by, and none is both', () => {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
  const learnt = new Set(faq.flatMap(({ id }) => taught.get(id) ?? []).map(bare))
  for (const { id } of faq) {
    assert.ok((taught.get(id)?.length ?? 0) >= 50, id)
    for (const text of heldOut.get(id) ?? []) assert.ok(!learnt.has(bare(text)), text)
  }
  assert.deepEqual(
    [...heldOut.keys()],
    faq.map(({ id }) => id),
  )
})

test('entries that are easily confused are distinguished', () => {
  for (const [text, id] of [
    ['孫は北海道におりますの。そちらから直接、あの子の家に送っていただけます?', 'gift-direct'],
    ['長崎の叔母の家へ、そちらから直接届けてもらえますか', 'gift-direct'],
    ['スウェーデンの叔母の家へ届けてもらえますか', 'international-shipping'],
    ['手持ちの古い本の買取はされていますか', 'buyback'],
    ['届いた本を返したい、まだ開けていません', 'returns'],
    ['what would I get back on that in points?', 'points'],
    ['do I have to be a member to order', 'membership'],
    ['which address does a complaint go to', 'contact-support'],
  ] as const)
    assert.equal(match(text, /[a-z]{3}/u.test(text) ? 'en' : 'ja')?.entry.id, id, text)
})
