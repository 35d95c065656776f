// The data files that come with the program, and the messages for invalid ones.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readCatalogue, readFaq } from './bundled-data.ts'

async function folderWith(file: string, text: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'data-'))
  after(() => rm(root, { recursive: true }))
  await writeFile(join(root, file), text)
  return root
}

test('the bundled catalogue and FAQ are complete', async () => {
  assert.ok((await readCatalogue()).products.length >= 150)
  assert.ok((await readFaq()).length > 10)
})

test('invalid products are named by line and field, all at once', async () => {
  const [product] = (await readCatalogue()).products
  const lines = [product, { ...product, id: 'b', stock: -1 }, {}, { ...product }].map((line) => JSON.stringify(line))
  const attempt = readCatalogue(await folderWith('catalogue.jsonl', `${lines[0]}\n\n${lines.slice(1).join('\n')}\n`))
  await assert.rejects(attempt, ({ message }: Error) => {
    assert.match(message, /catalogue\.jsonl:3: stock must be >= 0/)
    assert.match(message, /catalogue\.jsonl:4: the entry must have/)
    assert.match(message, /catalogue\.jsonl:5: id ".*" is also that of line 1/)
    return true
  })
})

test('a line that is not JSON is named', async () => {
  const root = await folderWith('catalogue.jsonl', '{"id":\n')
  await assert.rejects(readCatalogue(root), /catalogue\.jsonl:1: is not valid JSON/)
})

test('an invalid FAQ entry is named by its line', async () => {
  const [entry] = await readFaq()
  const root = await folderWith('faq.yaml', `# ours\n- ${JSON.stringify(entry)}\n- id: b\n  topic: c\n`)
  await assert.rejects(readFaq(root), /faq\.yaml:3: the entry must have/)
  await assert.rejects(readFaq(await folderWith('faq.yaml', 'a: [')), /faq\.yaml: /)
  await assert.rejects(readFaq(await folderWith('faq.yaml', 'a: 1')), /must be a list/)
})
