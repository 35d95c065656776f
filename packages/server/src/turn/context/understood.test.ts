// Questions understood once, and again when the shelves have changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildLexicon, understand } from '#domain/understanding/understand.ts'
import { sampleShelves } from '../../../test/fixtures/samples.ts'
import { rememberUnderstood } from './understood.ts'

const lexicon = buildLexicon(sampleShelves(), [])

test('the same question is understood once, in each language and over each edition of the shelves', () => {
  const understood = rememberUnderstood()
  const first = understood('鬼滅の刃が好きです', 'ja', lexicon)
  assert.deepEqual(first, understand('鬼滅の刃が好きです', 'ja', lexicon))
  assert.equal(understood('鬼滅の刃が好きです', 'ja', lexicon), first)
  assert.notEqual(understood('鬼滅の刃が好きです', 'en', lexicon), first)
  assert.deepEqual(understood('鬼滅の刃が好きです', 'ja', buildLexicon([], [])).mentioned, [])
})

test('what is pasted at length is not kept', () => {
  const understood = rememberUnderstood()
  const long = '鬼滅の刃が好きです。'.repeat(50)
  assert.notEqual(understood(long, 'ja', lexicon), understood(long, 'ja', lexicon))
})
