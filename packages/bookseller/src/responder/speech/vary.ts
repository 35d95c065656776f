// Chooses between wordings by a hash of the question, not at random: the same question to the same catalogue gets the
// same answer, so that an answer can be continued or repeated exactly.

export type Vary = <Item>(items: readonly Item[]) => Item

export function varyBy(text: string): Vary {
  let state = 2_166_136_261
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 16_777_619)
  return (items) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const item = items[Math.floor((state / 2 ** 32) * items.length)]
    if (item === undefined) throw new Error('nothing to choose from')
    return item
  }
}
