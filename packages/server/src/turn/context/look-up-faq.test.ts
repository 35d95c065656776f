// A question to the shop that no words of the FAQ match, with and without an embedder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPorts } from '#fixtures/stores/ports.ts'
import { sampleFaq } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import { createLookUp } from './look-up.ts'

const QUESTION = 'Which payment methods do you accept?'

async function intentOf(message: string, faqFor?: (asked: string) => Promise<string | undefined>) {
  const { products, search, understanding } = await testPorts()
  const lookUp = createLookUp({
    products,
    search,
    understanding,
    faq: sampleFaq(),
    contact: { ja: '窓口', en: 'the desk' },
    ...(faqFor === undefined ? {} : { embeddings: { faqFor } }),
  })
  const said = { message, language: 'en', history: [] } as const
  const { faq, intent } = await lookUp.find({ ...said, limit: 3 }, NEVER)
  return { intent, faq: faq.map(({ id }) => id), leans: await lookUp.leansOnHistory(said) }
}

test('the entry that the embedder finds is answered with', async () => {
  const asked: string[] = []
  const found = await intentOf(QUESTION, async (message) => {
    asked.push(message)
    return 'returns'
  })
  assert.deepEqual([found.intent, found.faq, asked], [{ kind: 'faq', id: 'returns' }, ['returns'], [QUESTION]])
  assert.equal(found.leans, false, 'what a message means is read without the embedder')
})

test('when the embedder finds none, or there is none, the question is answered as before', async () => {
  const { intent } = await intentOf(QUESTION)
  assert.equal(intent.kind, 'talk')
  assert.deepEqual((await intentOf(QUESTION, async () => undefined)).intent, intent)
})

test('a question that words answer, and one that is none to the shop, are not sent to the embedder', async () => {
  const never = () => assert.fail('asked')
  assert.deepEqual((await intentOf('How much is shipping?', never)).faq, ['shipping'])
  assert.notEqual((await intentOf('Do you have One Piece?', never)).intent.kind, 'faq')
})
