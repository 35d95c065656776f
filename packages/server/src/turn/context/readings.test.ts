// Understands a question once, and again when the catalogue has changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildLexicon, understand } from '@mangaassist/bookseller/understanding/understand'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { rememberUnderstood } from './understood.ts'

const lexicon = buildLexicon(sampleShelves(), [])

test('a question is understood once for each language and edition of the catalogue', () => {
  const understood = rememberUnderstood()
  const first = understood('鬼滅の刃が好きです', 'ja', lexicon)
  assert.deepEqual(first, understand('鬼滅の刃が好きです', 'ja', lexicon))
  assert.equal(understood('鬼滅の刃が好きです', 'ja', lexicon), first)
  assert.notEqual(understood('鬼滅の刃が好きです', 'en', lexicon), first)
  assert.deepEqual(understood('鬼滅の刃が好きです', 'ja', buildLexicon([], [])).mentioned, [])
})

test('a long question is understood once too, and cached without its text', () => {
  const understood = rememberUnderstood()
  const long = '鬼滅の刃が好きです。'.repeat(50)
  assert.equal(understood(long, 'ja', lexicon), understood(long, 'ja', lexicon))
  assert.notEqual(understood(`また、${long}`, 'ja', lexicon), understood(long, 'ja', lexicon))
})

test('only the beginning of a text is read, counted after folding: one character can become eighteen', () => {
  const read: string[] = []
  const titles = { ...lexicon.titles, find: (text: string) => lexicon.titles.find((read.push(text), text)) }
  const understood = rememberUnderstood()
  for (const long of ['ﷺ'.repeat(5000), '・'.repeat(5000), '㌖'.repeat(5000), '𠮟'.repeat(5000), 'x'.repeat(5000)])
    understood(long, 'ja', { ...lexicon, titles })
  assert.equal(read.length, 5)
  for (const text of read) {
    const folded = text.normalize('NFKC').length
    assert.ok(folded <= 600 && folded > 580 && text.isWellFormed(), `${folded} of ${text.slice(0, 3)}`)
  }
  assert.deepEqual(understood(`鬼滅の刃が好きです。${'・'.repeat(4000)}`, 'ja', lexicon).mentioned, [
    'kimetsu-no-yaiba',
  ])
})
