// Removes fences from a text that others wrote, however they are spelled: only we open and close them. A model reads past spaces,
// slashes and invisible characters, and takes letters of other alphabets for ours, so all of these count as the letters that they may
// be taken for. Used for everything that goes into a prompt.

const FENCES = ['data', 'earlier', 'state']
const LETTERS_MAX = Math.max(...FENCES.map(({ length }) => length))
/** What a model may read as `<`. */
const OPENING = /[<\uFF1C\uFE64\u2329\u3008\u27E8\u276C\u276E\u2770\u29FC\u02C2\u1438\u16B2]/u
/** Letters that look like none of ours; the fillers among them are invisible. */
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}ー]/u
const FILLERS = /[\u115F\u1160]/gu
/** A character, or the escape that JSON has for one, which a model reads as the character. */
const UNIT = /\\(?:[bfnrt]|u[\da-f]{4})|./gisu
/** Stands for any letter of ours. */
const ANY = '*'

/** A text, or JSON of one, without fences; of other brackets it keeps every character. */
export function inert(text: string): string {
  if (!OPENING.test(text)) return text
  const letters = new Map<string, string>()
  const shown = text.match(UNIT) ?? []
  // From the end, so that the letters after a bracket are known when it comes.
  let next = ''
  for (let index = shown.length - 1; index >= 0; index -= 1) {
    const unit = shown[index] ?? ''
    let own = letters.get(unit)
    if (own === undefined) letters.set(unit, (own = lettersOf(unit)))
    if (own !== '') next = `${own}${next}`.slice(0, LETTERS_MAX)
    else if (FENCES.some((word) => isTakenFor(next, word)) && OPENING.test(unit)) shown[index] = '‹'
  }
  return shown.join('')
}

function isTakenFor(letters: string, word: string): boolean {
  for (let index = 0; index < word.length; index += 1)
    if (letters[index] !== word[index] && letters[index] !== ANY) return false
  return true
}

/** The letters and digits that a unit is taken for: mostly one or none. No escape is of a letter, and no bracket counts as one. */
function lettersOf(unit: string): string {
  if ((unit.length > 1 && unit.startsWith('\\')) || OPENING.test(unit)) return ''
  const plain = unit.normalize('NFKC').normalize('NFD').replaceAll(FILLERS, '').toLowerCase()
  return Array.from(plain, letterOf).join('')
}

function letterOf(character: string): string {
  if (/[a-z02-9]/.test(character) || EAST_ASIAN.test(character)) return character
  return /[\p{L}1]/u.test(character) ? ANY : ''
}
