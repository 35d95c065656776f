// No text is estimated at less than two thirds of what real tokenizers need: neither texts that were once under-counted, nor any
// block of Unicode.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { blockTexts } from '../../../../../bench/estimator/blocks.ts'
import { builtWords } from '../../../../../bench/estimator/built-words.ts'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { calibrated, DOUBT_GENERIC, merge, NOTHING_LEARNT, observe, partsOf } from './calibration.ts'
import { familyOf, GENERIC } from './families.ts'
import { tokenCounterOf, weigh } from './token-counter.ts'
import { Scan } from './scan.ts'

const UNDER_COUNT_MAX = 1.5
const anySpecial = { disallowedSpecial: new Set<string>() }
const tokenizers = [
  { name: 'o200k', count: (text: string) => o200k(text, anySpecial).length },
  { name: 'cl100k', count: (text: string) => cl100k(text, anySpecial).length },
] as const

function countsOf(text: string): Int32Array {
  const scan = new Scan()
  scan.add(text)
  return scan.counts()
}

function underCounts(text: string): readonly string[] {
  const counts = countsOf(text)
  return tokenizers.flatMap(({ name, count }) =>
    [name, 'generic'].flatMap((family) => {
      const ratio = count(text) / weigh(counts, (familyOf(family) ?? GENERIC).weights)
      return ratio > UNDER_COUNT_MAX ? [`${name} as ${family}: ${ratio.toFixed(2)}`] : []
    }),
  )
}

const FOUND = {
  'squared katakana': '\u3316',
  'squared corporation': '\u337f',
  braille: '\u283f',
  'the phrase of one sign': '\ufdfa',
  'Arabic presentation forms': '\ufb60\ufbd3\ufe8d\ufec0',
  'private use': '\ue000\uf123',
  Yi: '\ua000\ua123\ua456',
  Cherokee: '\u13a0\u13b5\u13c9',
  ligature: '\ufb03',
} as const
for (const [name, characters] of Object.entries(FOUND)) {
  test(`a run of this text is not under-counted: ${name}`, () => {
    assert.deepEqual(underCounts(characters.repeat(200)), [])
    assert.deepEqual(underCounts([...characters].join(' ').repeat(50)), [])
  })
}

test('no block of Unicode is under-counted, whether its characters are mixed, separated by spaces or repeated', () => {
  const found: string[] = []
  const ranges = [
    // A sample of rare Han and the private area is enough, because they are uniform; the benchmark covers all of them.
    [0x20, 0x35ff],
    [0x4e00, 0x57ff],
    [0xa000, 0xb5ff],
    [0xf800, 0xffff],
    [0x1f000, 0x1faff],
    [0x10000, 0x101ff],
  ] as const
  for (const [first, last] of ranges) {
    for (const { block, kind, text } of blockTexts(first, last, 2)) {
      found.push(...underCounts(text).map((which) => `${block} ${kind}: ${which}`))
    }
  }
  assert.deepEqual(found, [])
})

test('long runs of ordinary letters, capitals, signs and line ends are not under-counted either', () => {
  const float = seededFloats('letters')
  const walk = Array.from({ length: 500 }, () => String.fromCharCode(0x61 + Math.floor(float() * 26))).join('')
  for (const text of [
    walk,
    walk.toUpperCase(),
    'w'.repeat(500),
    '&'.repeat(500),
    ')};'.repeat(200),
    '\r\n'.repeat(400),
  ]) {
    assert.deepEqual(underCounts(text), [], text.slice(0, 12))
  }
})

test('control characters are not under-counted, whatever stands between them', () => {
  const controls = Array.from({ length: 0x20 }, (_, unit) => String.fromCharCode(unit)).filter(
    (sign) => !/\s/.test(sign),
  )
  const float = seededFloats('controls')
  const among = (others: string) =>
    Array.from({ length: 800 }, () => [...controls, ...others][Math.floor(float() * (controls.length + others.length))])
  for (const others of [
    '',
    '!"#$%&()*+,-./:;<=>?@[]^_{|}~',
    'abcdefghijklmnopqrstuvwxyz',
    '0123456789',
    'あいうえおかきくけこ',
  ])
    for (const between of ['', ' '])
      assert.deepEqual(underCounts(among(others).join(between)), [], `${others}${between}`)
  for (const sign of [...controls, '\u007f']) assert.deepEqual(underCounts(sign.repeat(400)), [], JSON.stringify(sign))
})

test('words constructed from the table of letters are not under-counted, separated or joined', () => {
  for (const length of [3, 4, 5, 6, 7, 8, 9, 12, 16]) {
    const words = builtWords(400, length)
    assert.deepEqual(underCounts(words.join(' ')), [], `words of ${length}`)
    assert.deepEqual(underCounts(words.join('')), [], `words of ${length} in one`)
  }
})

/** Ordinary texts of other languages and of code, with many words that are in no list. */
const ORDINARY = {
  Spanish:
    'El chico volvió a su pueblo después de muchos años y encontró la casa vacía. La puerta seguía abierta, las ventanas estaban rotas y el jardín se había convertido en un bosque pequeño donde nadie se atrevía a entrar. ',
  German:
    'Der Junge kehrte nach vielen Jahren in sein Dorf zurück und fand das Haus leer. Die Tür stand noch offen, die Fenster waren zerbrochen, und der Garten war zu einem kleinen Wald geworden, den niemand mehr betreten wollte. ',
  Indonesian:
    'Anak itu kembali ke kampungnya setelah bertahun-tahun dan menemukan rumahnya kosong. Pintunya masih terbuka, jendelanya pecah, dan kebunnya telah menjadi hutan kecil yang tidak berani dimasuki siapa pun. ',
  'Japanese titles':
    'Shingeki no Kyojin, Kimetsu no Yaiba, Sousou no Frieren, Kusuriya no Hitorigoto, Tonari no Totoro, Hotaru no Haka, ',
  code: 'const answering = withDeadline(timers, { callMs, signal }, request)\nif (answering.kind === "granted") settlements.release(holdings)\n',
} as const
for (const [name, text] of Object.entries(ORDINARY)) {
  test(`a long ordinary text has the same tokens per character as a short one: ${name}`, () => {
    const tokens = (times: number) => weigh(countsOf(text.repeat(times)), GENERIC.weights) / times
    assert.ok(Math.abs(tokens(30) / tokens(1) - 1) < 0.05, `${tokens(1)} and ${tokens(30)}`)
  })
}

test('an invented word with the hash of a common word does not count as that word', () => {
  // Found by half a million tries of 32-bit hashes.
  const tokens = (text: string) => weigh(countsOf(text), GENERIC.weights)
  assert.ok(tokens('the') < 1.1)
  assert.ok(tokens('vqjwxwkqvvvpwwwx') > 5)
})

test('a sign that stands for a phrase costs as much as the phrase for tokenizers that expand it', () => {
  const { text } = tokenCounterOf((familyOf('claude-2') ?? GENERIC).weights)
  assert.ok(text('\ufdfa'.repeat(100)) >= 100 * 15)
})

test('rare characters cost at least their bytes, even if runs of them were observed to be cheap', () => {
  const text = '\u283f'.repeat(500)
  const { weights } = GENERIC
  const counts = countsOf(text)
  let known = NOTHING_LEARNT
  for (let call = 0; call < 50; call += 1) known = merge(known, observe(partsOf(counts, weights), 1500, 100))
  assert.ok(weigh(counts, calibrated(weights, known, DOUBT_GENERIC)) >= 1500)
})
