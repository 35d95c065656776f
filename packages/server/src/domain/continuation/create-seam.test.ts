// The seam: shown and passed-on text together are one text, wherever it was cut and however much of it the second attempt
// repeats; or nothing is passed on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '#fixtures/shop/texts.ts'
import { createSeam } from './create-seam.ts'
import { weightOf } from './repetition.ts'

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

/** Cuts a text into deltas at any unit, also inside a surrogate pair. */
function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const at = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b)
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

/** A position in the text that is not inside a surrogate pair: shown text is always well-formed. */
function wholeCut(text: string, number: number): number {
  const at = number % (text.length + 1)
  return text.slice(0, at).isWellFormed() ? at : at - 1
}

function run(shown: string, deltas: readonly string[], question = '') {
  const seam = createSeam({ shown, question })
  const passed = deltas.map((delta) => seam.push(delta))
  const end = seam.finish()
  return { passed, end, text: passed.join('') + (end.kind === 'ok' ? end.text : '') }
}

/** The longest beginning of `text` that is an end of `shown`, by brute force. */
function longestOverlap(shown: string, text: string): number {
  for (let length = Math.min(shown.length, text.length); length > 0; length -= 1)
    if (shown.endsWith(text.slice(0, length))) return length
  return 0
}

const anyCuts = fc.array(fc.nat(), { maxLength: 30 })

test('a restart from the beginning is skipped exactly, for any text, cut and deltas', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), anyCuts, (text, number, cuts) => {
      const shown = text.slice(0, wholeCut(text, number))
      const result = run(shown, cutAt(text, cuts))
      // In a text that repeats itself, a restart and a longer repetition cannot be distinguished.
      fc.pre(longestOverlap(shown, text) === shown.length)
      assert.deepEqual([result.end.kind, shown + result.text], ['ok', text])
    }),
  )
})

test('a long repetition of the last words is removed exactly', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), fc.nat(), anyCuts, (text, number, back, cuts) => {
      const shown = text.slice(0, wholeCut(text, number))
      const from = wholeCut(shown, back)
      const again = text.slice(from)
      const repeated = shown.slice(from)
      fc.pre(weightOf(repeated) >= 24 && new Set(repeated).size >= 3)
      fc.pre(longestOverlap(shown, again) === repeated.length)
      const result = run(shown, cutAt(again, cuts))
      assert.deepEqual([result.end.kind, shown + result.text], ['ok', text])
    }),
  )
})

test('the division into deltas changes neither decision nor text, and the passed-on text is always the end of the new one', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), anyAnswer, anyCuts, (text, number, other, cuts) => {
      const shown = text.slice(0, wholeCut(text, number))
      for (const said of [text.slice(shown.length), other]) {
        const whole = run(shown, [said])
        const cut = run(shown, cutAt(said, cuts))
        assert.deepEqual([cut.end.kind, cut.text], [whole.end.kind, whole.text])
        assert.ok(said.endsWith(whole.text))
        if (whole.end.kind === 'mismatch') assert.equal(whole.text, '')
      }
    }),
  )
})

test('an attempt that starts again and then differs is a mismatch, and none of it is passed on', () => {
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

test('passed-on text is well-formed at any moment, even if the deltas are not', () => {
  fc.assert(
    fc.property(anyAnswer, fc.nat(), anyCuts, (text, number, cuts) => {
      const { passed } = run(text.slice(0, wholeCut(text, number)), cutAt(text, cuts))
      for (const piece of passed) assert.ok(piece.isWellFormed())
    }),
  )
})

test('text without a repetition is held back for 160 letters or 80 kana at most', () => {
  fc.assert(
    fc.property(anyAnswer, anyText, (answer, rest) => {
      const seam = createSeam({ shown: `${answer}。`, question: '' })
      let said = ''
      for (const unit of `†${rest}${'and so on '.repeat(17)}`) {
        said += unit
        seam.push(unit)
        // Each half of a surrogate pair has a weight.
        assert.ok(seam.state !== 'undecided' || weightOf(said) <= 170, said)
      }
      assert.notEqual(seam.state, 'undecided')
    }),
  )
})

/** Judged by hand: the shown text, the new text, and the part of it that continues; undefined: a mismatch. */
const EXAMPLES: readonly (readonly [shown: string, said: string, passed: string | undefined])[] = [
  // Within a sentence: judged by case, by particle and ending, by open brackets, by half a word.
  ['The first volume costs 528 yen', ', and the second is cheaper.', ', and the second is cheaper.'],
  ['The first volume costs 528 yen', 'Volume one is 528 yen.', undefined],
  ['この作品は静かな町で暮らす兄妹', 'の物語です。', 'の物語です。'],
  ['この作品は静かな町で暮らす兄妹', 'はい、静かな町の物語です。', undefined],
  ['Have you read **Twin Sp', 'ica**? It is about rockets.', 'ica**? It is about rockets.'],
  ['Have you read **Twin Sp', 'You should read Twin Spica.', undefined],
  ['同じ作者の『よつば', 'と!』も人気です。', 'と!』も人気です。'],
  ['同じ作者の『よつば', '『よつばと!』はあずまきよひこさんの作品です。', undefined],
  // Digits on both sides of the cut may belong to different numbers.
  ['全巻セットは1', '2冊です。', undefined],
  ['全巻セットは12,', '419円です。', '419円です。'],
  // Repeated whole words are removed; normal doublings are not.
  ['It is drawn with art by', 'art by hand, on paper.', ' hand, on paper.'],
  ['在庫は現在12冊の', '12冊の在庫がございます。', '在庫がございます。'],
  ['It was a very ', 'very long road', 'very long road'],
  // After a sentence: only text that refers to it or continues its list.
  ['The shop in Kyoto opens at ten.', ' However, it closes early on Sundays.', ' However, it closes early on Sundays.'],
  ['The shop in Kyoto opens at ten.', ' Our Kyoto shop has been open since 1990.', undefined],
  ['1. **Akira**: a city\n2. **Monster**: a surgeon\n', '3. **Pluto**: robots', '3. **Pluto**: robots'],
  ['1. **Akira**: a city\n2. **Monster**: a surgeon\n', '1. **Pluto**: robots', undefined],
  ['1. **Akira**: a city\n2. **Monster**: a surgeon\n', '3. **Akira**: motorcycles', undefined],
  // A predicate alone is an answer, unless the shown text needs one.
  ['届いたときの箱に入れて、お近くの営業所', 'できます。ただし背に折れがある本は除きます。', undefined],
  ['英語版はアメリカから', 'あります。英語と韓国語の二つです。', undefined],
  ['到着から30日以内であれば返品', 'できます。箱に入れてお送りください。', 'できます。箱に入れてお送りください。'],
  ['船便で送る商品も', 'あります。三週間ほどみてください。', 'あります。三週間ほどみてください。'],
  // The words before a comma repeated without it, and a pronoun that refers to the question.
  ['Start with volume 1, ', 'volume 1 is the place to begin.', undefined],
  ['The words name readers, not genres.', ' They are labels for the audience of a magazine.', undefined],
  // Remarks about the answer itself.
  ['The story begins in', ' sorry, I was cut off. It begins in Kyoto.', undefined],
  ['物語の舞台は', '続きです。物語の舞台は京都です。', undefined],
]

test('examples are joined or refused as a reader would', () => {
  for (const [shown, said, passed] of EXAMPLES) {
    const { end, text } = run(shown, [...said])
    assert.deepEqual([shown, said, end.kind === 'ok' ? text : undefined], [shown, said, passed])
  }
})

test('a model that got the shown text as its own beginning may continue with an independent sentence', () => {
  const [shown, said] = ['The shop in Kyoto opens at ten.', ' Sundays are quieter.']
  const joined = (isPrefilled: boolean) => {
    const seam = createSeam({ shown, question: '', isPrefilled })
    seam.push(said)
    return seam.finish()
  }
  assert.deepEqual([joined(true), joined(false)], [{ kind: 'ok', text: said }, { kind: 'mismatch' }])
})

test('a restart of a very short text is skipped too', () => {
  assert.equal(run('鬼', ['鬼滅の刃']).text, '滅の刃')
})

test('a restart that ends before all of the shown text was repeated is a mismatch', () => {
  const shown = SENTENCES[0] ?? ''
  assert.equal(run(shown, [shown.slice(0, 20)]).end.kind, 'mismatch')
  assert.deepEqual(run(shown, [shown]), { passed: [''], end: { kind: 'ok', text: '' }, text: '' })
})

test('a second attempt without text adds nothing and is no mismatch', () => {
  assert.deepEqual(run('abc', []), { passed: [], end: { kind: 'ok', text: '' }, text: '' })
})

test('with nothing shown everything is passed on at once', () => {
  assert.deepEqual(run('', ['a', 'b']).passed, ['a', 'b'])
})

test('a restart is a mismatch from its first different letter on, so that the attempt can be stopped', () => {
  const shown = SENTENCES.slice(0, 2).join('')
  const seam = createSeam({ shown, question: '' })
  seam.push(shown.slice(0, 30))
  assert.equal(seam.state, 'undecided')
  seam.push('†')
  assert.equal(seam.state, 'mismatch')
  assert.equal(seam.push('more'), '')
})

test('white space or dots before a repetition are removed with it', () => {
  const shown = 'この作品は、静かな町で暮らす兄妹の物語で、'
  for (const lead of ['\n\n', ' ', '…', '……\n']) {
    assert.equal(run(shown, [...`${lead}静かな町で暮らす兄妹の物語で、泣けます`]).text, '泣けます')
    assert.equal(run(shown, [...`${lead}${shown}泣けます`]).text, '泣けます')
  }
})
