// The seam: what was shown and what is passed on are together the whole text, however it was cut and however much of it the
// second attempt says again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/fixtures/texts.ts'
import { createSeam } from './continuation.ts'

const SENTENCES = [
  '『鬼滅の刃』は全23巻で、吾峠呼世晴さんの作品です。',
  'まずは1巻から読むのがおすすめで、家族を失った少年が仲間と旅をします。',
  '同じ雰囲気なら『呪術廻戦』も人気があります🎌',
  'It is a quiet story about a long road and the people who walk it. ',
  'Volume 12 costs 528 yen; the box set is cheaper per volume. ',
  'か\u3099くせい👨‍👩‍👧‍👦と葛\u{E0100}城の𠮟られた話。',
]
const anyAnswer = fc
  .tuple(fc.shuffledSubarray(SENTENCES, { minLength: 1 }), anyText)
  .chain(([sentences, noise]) => fc.constantFrom(sentences.join(''), sentences.join('') + noise, noise))

/** Cuts a text into deltas at any units, also inside a surrogate pair. */
function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const at = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b)
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

/** A place in the text that is not inside a surrogate pair: what was shown is always well-formed. */
function wholeCut(text: string, number: number): number {
  const at = number % (text.length + 1)
  return text.slice(0, at).isWellFormed() ? at : at - 1
}

function run(shown: string, deltas: readonly string[]) {
  const seam = createSeam(shown)
  const passed = deltas.map((delta) => seam.push(delta))
  const end = seam.finish()
  return { passed, end, text: passed.join('') + (end.kind === 'ok' ? end.text : '') }
}

/** By brute force: the longest beginning of `text` that is an end of `shown`. */
function longestOverlap(shown: string, text: string): number {
  for (let length = Math.min(shown.length, text.length); length > 0; length -= 1)
    if (shown.endsWith(text.slice(0, length))) return length
  return 0
}

const commonStart = (a: string, b: string): number => {
  let length = 0
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length += 1
  return length
}

const anyCuts = fc.array(fc.nat(), { maxLength: 30 })

test('a restart from the beginning is skipped to the letter, for any text, cut and deltas', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), anyCuts, (text, number, cuts) => {
      const shown = text.slice(0, wholeCut(text, number))
      const result = run(shown, cutAt(text, cuts))
      // A text that repeats itself can be a restart and a longer repetition at once; then nobody can tell.
      fc.pre(longestOverlap(shown, text) === shown.length)
      assert.deepEqual([result.end.kind, shown + result.text], ['ok', text])
    }),
  )
})

test('any repetition of the last words that can be known as one is trimmed to the letter', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), fc.nat(), anyCuts, (text, number, back, cuts) => {
      const shown = text.slice(0, wholeCut(text, number))
      const from = wholeCut(shown, back)
      const again = text.slice(from)
      const repeated = shown.slice(from)
      fc.pre([...repeated].length >= 10 && new Set(repeated).size >= 3)
      fc.pre(longestOverlap(shown, again) === repeated.length)
      const result = run(shown, cutAt(again, cuts))
      assert.deepEqual([result.end.kind, shown + result.text], ['ok', text])
    }),
  )
})

test('a plain continuation is passed on to the letter, for any text, cut and deltas', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), anyCuts, (text, number, cuts) => {
      const at = wholeCut(text, number)
      const [shown, rest] = [text.slice(0, at), text.slice(at)]
      fc.pre(longestOverlap(shown, rest) < 5 && commonStart(shown, rest) < 5)
      fc.pre(!rest.startsWith(shown) || shown === '')
      const result = run(shown, cutAt(rest, cuts))
      assert.deepEqual([result.end.kind, result.text], ['ok', rest])
    }),
  )
})

test('an attempt that begins again and then tells it differently is a mismatch, and none of it is passed on', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), fc.nat(), anyCuts, (text, number, back, cuts) => {
      const shown = text.slice(0, wholeCut(text, number))
      const common = shown.slice(0, wholeCut(shown, back))
      fc.pre([...common].length >= 24 && new Set(common).size >= 3 && common.length < shown.length)
      const other = `${common}†ここからは違う話です。`
      fc.pre(longestOverlap(shown, other) === 0)
      const result = run(shown, cutAt(other, cuts))
      assert.deepEqual([result.end, result.text], [{ kind: 'mismatch' }, ''])
    }),
  )
})

test('what is passed on at any moment is well-formed, though the deltas are not', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), anyCuts, (text, number, cuts) => {
      const { passed } = run(text.slice(0, wholeCut(text, number)), cutAt(text, cuts))
      for (const piece of passed) assert.ok(piece.isWellFormed())
    }),
  )
})

test('text is held back only while it repeats a passage of what was shown, with or without a lead-in', () => {
  fc.assert(
    fc.property(anyAnswer, anyText, anyCuts, (answer, rest, cuts) => {
      const shown = `${answer}。`
      // What begins like an opening is held back until it is known to be none.
      fc.pre(!/^[\s…⋯]*[おご承続かはTGCH]/u.test(rest))
      const seam = createSeam(shown)
      let told = ''
      for (const delta of cutAt(rest, cuts)) {
        told += delta
        seam.push(delta)
        assert.ok(seam.state !== 'undecided' || shown.includes(told.replace(/^[\s…⋯]+/u, '')))
      }
    }),
  )
})

test('the first new word of a plain continuation is passed on at once', () => {
  const seam = createSeam('The first volume costs 528 yen')
  assert.equal(seam.push(', and'), ', and')
  assert.equal(seam.state, 'joined')
})

test('words that writing doubles by itself are not taken for a repetition', () => {
  for (const [shown, rest] of [
    ['この店にはいろ', 'いろな漫画があります'],
    ['主人公は少しずつ', '少しずつ強くなります'],
    ['It was a very ', 'very long road'],
    ['効果音はゴゴゴゴゴゴ', 'ゴゴゴゴゴゴと続きます'],
    ['価格\n----------', '----------\n528円'],
  ] as const) {
    assert.equal(run(shown, [rest]).text, rest)
  }
})

test('five Japanese characters said again are trimmed', () => {
  assert.equal(run('同じ作者の『ワンピース', ['ワンピー', 'ス』は長編です']).text, '』は長編です')
})

test('a passage from the middle that comes again is part of the text, as in a list', () => {
  const shown = '1. 『鬼滅の刃』\n- 出版社：集英社、レーベル：ジャンプコミックス\n- 全23巻\n2. 『呪術廻戦』\n'
  const rest = '- 出版社：集英社、レーベル：ジャンプコミックス\n- 全30巻'
  assert.equal(run(shown, [...rest]).text, rest)
})

test('a restart of a text that had hardly begun is skipped too', () => {
  assert.equal(run('鬼', ['鬼滅の刃']).text, '滅の刃')
})

test('a short answer told differently from the middle on is a mismatch', () => {
  assert.equal(run('『鬼滅の刃』は全23巻', ['『鬼滅の刃』は、2016年から']).end.kind, 'mismatch')
})

test('a second attempt that stops before it comes to anything new is a mismatch when it is a restart', () => {
  const shown = SENTENCES[0] ?? ''
  assert.equal(run(shown, [shown.slice(0, 20)]).end.kind, 'mismatch')
  assert.deepEqual(run(shown, [shown]), { passed: [''], end: { kind: 'ok', text: '' }, text: '' })
})

test('a second attempt without a word adds nothing and is no mismatch', () => {
  assert.deepEqual(run('abc', []), { passed: [], end: { kind: 'ok', text: '' }, text: '' })
})

test('with nothing shown everything is passed on', () => {
  assert.equal(run('', ['a', 'b']).text, 'ab')
})

test('a mismatch is known at the first different letter, so that the attempt can be stopped', () => {
  const shown = SENTENCES.slice(0, 2).join('')
  const seam = createSeam(shown)
  seam.push(shown.slice(0, 30))
  assert.equal(seam.state, 'undecided')
  seam.push('†')
  assert.equal(seam.state, 'mismatch')
  assert.equal(seam.push('more'), '')
})

test('white space or dots before what is said again are trimmed with it, and stay before what is new', () => {
  const shown = 'この作品は、静かな町で暮らす兄妹の物語で、'
  for (const lead of ['\n\n', ' ', '…', '……\n']) {
    assert.equal(run(shown, [...`${lead}静かな町で暮らす兄妹の物語で、泣けます`]).text, '泣けます')
    assert.equal(run(shown, [...`${lead}${shown}泣けます`]).text, '泣けます')
    assert.equal(run(shown, [...`${lead}泣けます`]).text, `${lead}泣けます`)
  }
})

test('an attempt that rephrases what broke off within a sentence, or talks about it first, is a mismatch', () => {
  const shown = `${SENTENCES[1]}この作品は、静かな町で暮らす兄妹の物語で、`
  for (const other of [
    'まずは1巻から読み始めて',
    '承知しました。続きを書きます。',
    '\nはい、この作品は静かな町の',
    'Certainly! It is about',
  ])
    assert.deepEqual(run(shown, [...other]), { passed: [...other].map(() => ''), end: { kind: 'mismatch' }, text: '' })
  assert.equal(run(SENTENCES[1] ?? '', ['はい、人気です']).end.kind, 'ok')
  assert.equal(run(SENTENCES[1] ?? '', ['ご質問', 'ありがとうございます。']).end.kind, 'mismatch')
  assert.equal(run('よくある', ['ご質問の', 'ページを']).text, 'ご質問のページを')
  assert.equal(run('は', ['はい、人気です']).text, 'い、人気です')
  assert.equal(run('Certainly! The', ['Certainly! The story']).text, ' story')
})
