// The order number that a shopper named in a conversation, to be offered when they ask for a person. Pure.

const NAMED =
  /(?:注文(?:番号)?|order(?:\s*(?:number|no\.?|id))?)\s*(?:は|が|の|is|was)?\s*[:：#＃№]?\s*([a-z0-9][a-z0-9-]{1,29})/giu

/** The demo's order ids. They are matched as whole words, because the pattern above would cut them. */
const ID = /\border_[a-z0-9]{8,40}\b/iu

/** The newest question that names one counts; a word without a digit is none. */
export function orderNumberIn(questions: readonly string[]): string | undefined {
  for (const question of questions.toReversed()) {
    const id = ID.exec(question)?.[0]
    if (id !== undefined) return id
    const found = [...question.normalize('NFKC').matchAll(NAMED)].map(([, number = '']) => number)
    const number = found.findLast((word) => /\d/.test(word))
    if (number !== undefined) return number
  }
  return undefined
}
