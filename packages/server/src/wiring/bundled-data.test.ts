// The data files that come with the program, and the messages for invalid ones.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bundled } from '#config/installation.ts'
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

test('the bundled release dates join series of the catalogue that are still running, each with its next volumes', async () => {
  const { products } = await readCatalogue()
  const dated = products.filter(({ releases }) => releases !== undefined)
  const lines = (await readFile(join(bundled.data, 'releases.csv'), 'utf8')).trim().split('\n').slice(1)
  assert.equal(dated.flatMap(({ releases = [] }) => releases).length, lines.length)
  for (const { id, releases = [], status, volumes } of dated) {
    assert.equal(status, 'running', id)
    for (const { volume } of releases) assert.ok(volume > volumes, `${id} ${volume}`)
  }
})

test('release dates of unknown series are ignored, a wrong line is named, and a new date is a new edition', async () => {
  const product = JSON.stringify({ ...(await readCatalogue()).products[0], id: 'a', releases: undefined })
  const read = async (csv?: string) => {
    const root = await folderWith('catalogue.jsonl', product)
    if (csv !== undefined) await writeFile(join(root, 'releases.csv'), csv)
    return readCatalogue(root)
  }
  const without = await read()
  assert.equal(without.products[0]?.releases, undefined)
  const dated = await read('id,volume,date\na,7,2027-01-06\nunknown,1,2027-01-06\n')
  assert.deepEqual(dated.products[0]?.releases, [{ volume: 7, date: '2027-01-06' }])
  assert.notEqual(dated.source, without.source)
  for (const wrong of ['a,0,2027-01-06', 'a,1,2027-02-30', 'a,1,tomorrow', ',1,2027-01-06', 'a'])
    await assert.rejects(read(`id,volume,date\n${wrong}\n`), /releases\.csv: entry 1 \(/)
  await assert.rejects(read('volume,id\n'), /the columns must be id,volume,date/)
  await assert.rejects(read('id,volume,date\n"a,1'), /releases\.csv: line 2/)
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
