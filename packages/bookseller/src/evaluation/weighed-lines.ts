// Reads messages that are labelled with their complexity: a line has level, language, kind of the previous message, and the
// text. `training/complexity/README.md` says what the levels mean.
import type { Language } from '@mangaassist/protocol'
import { COMPLEXITIES } from '../understanding/complexity.ts'
import type { Complexity } from '../understanding/complexity.ts'
import { PREVIOUS } from '../understanding/reading.ts'
import type { Previous } from '../understanding/reading.ts'

export interface WeighedLine {
  readonly writer: string
  readonly level: Complexity
  readonly language: Language
  readonly previous: Previous
  readonly text: string
}

/** The lines of a file of one writer. Throws an error that names the line when a label is unknown. */
export function parseWeighed(text: string, file: string): readonly WeighedLine[] {
  const writer = file.replace('.tsv', '')
  return text.split('\n').flatMap((line, index): WeighedLine[] => {
    if (line.trim() === '') return []
    const [level, language, previous, message = ''] = line.split('\t')
    const known = <Value extends string>(list: readonly Value[], value: string | undefined): Value => {
      const found = list.find((one) => one === value)
      if (found === undefined) throw new Error(`${file}:${index + 1}: unknown label ${JSON.stringify(value)}`)
      return found
    }
    return [
      {
        writer,
        level: known(COMPLEXITIES, level),
        language: known(['ja', 'en'], language),
        previous: known(PREVIOUS, previous),
        text: message,
      },
    ]
  })
}
