// `mangaassist import`: into the data folder, over a running server, and what is refused before anything is written.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openStoredCatalogue } from '#adapters/sqlite/product-store/stored-products.ts'
import { bundled } from '#config/installation.ts'
import { bareProduct, sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const TOKEN = 'maa_import'

function shell(context: TestContext, env: Record<string, string> = {}) {
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, ...env } })
  const folder = tempDir(context)
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(['import', ...args], terminal)
    return { code, ...terminal.printed }
  }
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const dataDir = terminal.env['DATA_DIR'] ?? ''
  const stored = async () => {
    using catalogue = openStoredCatalogue(dataDir)
    return (await catalogue?.products.page('', 1000)) ?? []
  }
  const edition = async () => {
    using catalogue = openStoredCatalogue(dataDir)
    return await catalogue?.products.edition()
  }
  return { run, write, stored, edition, dataDir }
}

const jsonl = (products: readonly object[]) => products.map((product) => `${JSON.stringify(product)}\n`).join('')

test('a catalogue takes the place of the bundled one in the data folder, and a second import says what changes', async (context) => {
  const { edition, run, stored, write } = shell(context)
  const first = await run(write('shop.jsonl', jsonl(sampleShelves())))
  assert.equal(first.code, 0, first.err)
  assert.match(first.out, /\d added, \d+ removed, .*\n.*: edition [0-9a-f]{16}\.\n$/)
  assert.deepEqual([await stored(), (await edition())?.source], [sampleShelves(), 'shop.jsonl'])
  const changed = [
    sampleProduct({ stock: 1 }),
    sampleProduct({ ...sampleShelves()[1], pricePerVolumeYen: 500, volumes: 200 }),
    bareProduct({ id: 'new' }),
  ]
  const second = await run(write('shop.jsonl', jsonl(changed)))
  assert.match(
    second.out,
    /1 added, 1 removed, 1 with other facts, 1 with another price, 1 with other stock, 0 with other release dates, 0 unchanged/,
  )
  assert.deepEqual(await stored(), [changed[0], changed[2], changed[1]])
})

test('CSV with a byte order mark, CRLF, quotes and lists becomes the same products as JSON', async (context) => {
  const { run, stored, write } = shell(context)
  const header =
    'id,title.ja,title.en,aliases,writer.ja,artist.ja,genres,moods,volumes,pricePerVolumeYen,stock,volumeOffers,releases,synopsis.ja,age,content'
  const row =
    'a,甲,"One, ""two""",x|y,書,描,action|drama,dark,3,500,2,1:450:|3::0,4:2026-12-04,"一行目\r\n二行目",12,gore'
  const { code, err } = await run(write('shop.csv', `\uFEFF${header}\r\n${row}\r\n\r\nb,,Bare,,,,,,1,400,0,,,,,\r\n`))
  assert.equal(code, 0, err)
  assert.deepEqual(await stored(), [
    {
      id: 'a',
      title: { ja: '甲', en: 'One, "two"', romaji: 'One, "two"' },
      aliases: ['x', 'y'],
      writer: { ja: '書', en: '書' },
      artist: { ja: '描', en: '描' },
      author: { ja: '書 / 描', en: '書 / 描' },
      genres: ['action', 'drama'],
      moods: ['dark'],
      volumes: 3,
      pricePerVolumeYen: 500,
      stock: 2,
      volumeOffers: [
        { volume: 1, priceYen: 450 },
        { volume: 3, stock: 0 },
      ],
      releases: [{ volume: 4, date: '2026-12-04' }],
      synopsis: { ja: '一行目\r\n二行目', en: '一行目\r\n二行目' },
      age: 12,
      content: ['gore'],
    },
    {
      id: 'b',
      title: { ja: 'Bare', en: 'Bare', romaji: 'Bare' },
      aliases: [],
      genres: [],
      moods: [],
      volumes: 1,
      pricePerVolumeYen: 400,
      stock: 0,
    },
  ])
})

test('every bad row is reported with its line and field, and nothing is imported unless they are skipped', async (context) => {
  const { dataDir, edition, run, stored, write } = shell(context)
  const rows = [
    sampleProduct(),
    { ...bareProduct({ id: 'b' }), stock: -1 },
    { ...bareProduct({ id: 'c' }), prise: 3 },
    sampleProduct(),
    { id: 'd', title: 'D', volumes: 1, stock: 0 },
    { ...bareProduct({ id: 'e' }), releases: [{ volume: 1, date: '2026-02-30' }] },
  ]
  const file = write('shop.jsonl', `${jsonl(rows)}{"id":\n`)
  const refused = await run(file)
  assert.equal(refused.code, 1)
  for (const problem of [
    /shop\.jsonl:2: stock must be >= 0, not -1/,
    /shop\.jsonl:3: prise is not a field of a product/,
    /shop\.jsonl:4: id kimetsu-no-yaiba is also that of line 1/,
    /shop\.jsonl:5: pricePerVolumeYen is missing/,
    /shop\.jsonl:6: releases\.0\.date is not a day/,
    /shop\.jsonl:7: is not valid JSON/,
    /Nothing was imported: correct these rows/,
  ])
    assert.match(refused.err, problem)
  assert.ok((await edition())?.source.startsWith('bundled:'))
  assert.ok(existsSync(dataDir))
  assert.equal((await run(file, '--skip-bad-rows')).code, 0)
  assert.deepEqual(await stored(), [sampleProduct()])
})

test('a long list of bad rows is cut, with their number', async (context) => {
  const { run, write } = shell(context)
  const { code, err } = await run(write('shop.csv', `id,stock\n${'a,x\n'.repeat(200)}`))
  assert.equal(code, 1)
  assert.ok(err.split('\n').length < 30, err)
  assert.match(err, /… 200 bad rows in all\./)
})

test('a dry run writes nothing, not even a folder', async (context) => {
  const { dataDir, edition, run, write } = shell(context)
  const dry = await run(write('shop.jsonl', jsonl(sampleShelves())), '--dry-run')
  assert.deepEqual([dry.code, existsSync(dataDir)], [0, false])
  assert.match(dry.out, /3 added, 0 removed.*\nThis was a dry run: nothing was written\.\n$/)
  await run(write('shop.jsonl', jsonl(sampleShelves())))
  const [before, bytes] = [await edition(), readFileSync(join(dataDir, 'mangaassist.sqlite'))]
  const second = await run(write('shop.jsonl', jsonl(sampleShelves().slice(1))), '--dry-run')
  assert.match(second.out, /0 added, 1 removed, 0 with other facts, .* 2 unchanged/)
  assert.deepEqual([await edition(), readFileSync(join(dataDir, 'mangaassist.sqlite'))], [before, bytes])
})

test('an import that removes more than half of the products needs a flag', async (context) => {
  const { run, stored, write } = shell(context)
  await run(write('shop.jsonl', jsonl(sampleShelves())))
  const file = write('shop.jsonl', jsonl(sampleShelves().slice(2)))
  const refused = await run(file)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /would remove 2 products from .*more than half\..*--allow-removals/)
  assert.equal((await stored()).length, 3)
  assert.equal((await run(file, '--allow-removals')).code, 0)
  assert.equal((await stored()).length, 1)
})

test('Shift_JIS, UTF-16, an open quote and a wrong column are refused in a sentence', async (context) => {
  const { run, write } = shell(context)
  const shiftJis = Buffer.from([
    ...Buffer.from('id,title.ja\na,'),
    0x8b,
    0x53,
    0x96,
    0xc5,
    0x82,
    0xcc,
    0x90,
    0x6e,
    0x0a,
  ])
  for (const [content, message] of [
    [shiftJis, /is not UTF-8, so nothing was imported\. It looks like Shift_JIS\. Save it as UTF-8.*iconv -f CP932/],
    [Buffer.from('\uFEFFid,stock\na,1\n', 'utf16le'), /It looks like UTF-16\..*iconv -f UTF-16/],
    ['id,title.ja\na,"x\n', /shop\.csv: line 2: a quote is never closed\. Nothing was imported\./],
    ['id,titel.ja\na,x\n', /shop\.csv:1: unknown column "titel\.ja"\. Did you mean title\.ja\?/],
    ['title.ja\nx\n', /the column id is missing/],
    ['', /is empty/],
  ] as const) {
    const { code, err } = await run(write('shop.csv', content), '--dry-run')
    assert.equal(code, 1)
    assert.match(err, message)
  }
  assert.match((await run('/nowhere.csv', '--dry-run')).err, /There is no file \/nowhere\.csv\./)
  assert.equal((await run()).code, 2)
  assert.equal((await run('shop.xlsx', '--dry-run')).code, 2)
})

test('stock, prices, release dates and the FAQ change without a catalogue file', async (context) => {
  const { edition, run, stored, write } = shell(context)
  await run(write('shop.jsonl', jsonl(sampleShelves())))
  const before = await edition()
  const stock = write('stock.csv', 'id,volume,priceYen,stock\none-piece,,600,\none-piece,2,,0\nyotsuba-to,,,7\n')
  const releases = write('releases.csv', 'id,volume,date\none-piece,115,2026-12-04\none-piece,116,2027-03-04\n')
  const faq = write(
    'faq.yaml',
    readFileSync(join(bundled.data, 'faq.yaml'), 'utf8').split('\n- id:').slice(0, 2).join('\n- id:'),
  )
  const done = await run('--stock', stock, '--releases', releases, '--faq', faq)
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /0 with other facts, 1 with another price, 2 with other stock, 1 with other release dates/)
  const after = await edition()
  assert.deepEqual([after?.version, (after?.offers ?? 0) > (before?.offers ?? 0)], [before?.version, true])
  const [, onePiece, yotsuba] = await stored()
  assert.deepEqual(
    [onePiece?.pricePerVolumeYen, onePiece?.volumeOffers, onePiece?.releases?.length, yotsuba?.stock],
    [600, [{ volume: 2, stock: 0 }], 2, 7],
  )
  const unknown = await run('--stock', write('stock.csv', 'id,stock\nunknown-series,1\nyotsuba-to,2.5\n'))
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /stock\.csv:3: stock must be a whole number.*"2\.5"/)
  assert.match(unknown.err, /stock\.csv:2: id unknown-series is not in the catalogue/)
})

test('over the admin API: every named server gets the edition, and its audit says who and why', async (context) => {
  const auth = { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] }
  await using tokyo = await openDoors({ auth })
  await using osaka = await openDoors({ auth })
  const urls = await Promise.all([tokyo, osaka].map((doors) => doors.listen()))
  const { dataDir, run, write } = shell(context)
  const servers = urls.flatMap((url) => ['--server', url])
  const done = await run(write('shop.jsonl', jsonl(sampleShelves())), ...servers, '--reason', 'daily')
  assert.equal(done.code, 0, done.err)
  const editions = [...done.out.matchAll(/edition ([0-9a-f]{16})/g)].map(([, edition]) => edition)
  assert.deepEqual([editions.length, new Set(editions).size, existsSync(dataDir)], [2, 1, false])
  const [line] = await tokyo.app.admin.audit({ limit: 1 })
  assert.deepEqual(
    [line?.action, line?.by, line?.reason, line?.subject],
    ['catalogue-imported', 'aki', 'daily', 'catalogue'],
  )
  const dry = await run(write('stock.csv', 'id,stock\none-piece,0\n').replace(/^/, '--stock='), ...servers, '--dry-run')
  assert.match(dry.out, /1 with other stock/)
  assert.equal((await tokyo.app.admin.catalogue()).edition, editions[0])
})
