// Wishes that a message drops by their names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aspectOf } from '../../understanding/aspects.ts'
import { withoutDropped } from './dropped-wishes.ts'

const left = (wish: string, message: string) => withoutDropped([aspectOf(wish)], message).map(({ text }) => text)

test('a wish that is named and dropped is wished for no more', () => {
  for (const [wish, message] of [
    ['samurai', 'Nah scratch the samurai. I meant street racing'],
    ['horror', 'ok forget about horror, something with cats'],
    ['野球', '野球はもうええわ。戦争もんに変えて'],
    ['スポーツ', 'スポーツというよりゲームみたいなのがいい'],
    ['動物', '動物はいなくていいや。ごはん系にして'],
    ['恋愛', '恋愛ものじゃなくて、ミステリーを'],
  ] as const)
    assert.deepEqual(left(wish, message), [], message)
})

test('a wish that is only named again stays', () => {
  for (const [wish, message] of [
    ['samurai', 'more samurai please, but shorter'],
    ['horror', "don't drop the budget, horror is fine"],
    ['野球', '野球がいいです'],
    ['恋愛', '恋愛ものはもっとありますか'],
  ] as const)
    assert.deepEqual(left(wish, message), [wish], message)
})
