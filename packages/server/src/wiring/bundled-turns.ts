// Reads the turns that come with the program: what a replay of routing needs of conversations that were held with the built-in
// responder, so that a shop without turns of its own sees what routing would save. `npm run bench -- bundled-turns` makes the file.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PLAIN_QUESTIONS } from '@mangaassist/bookseller/dialogue/plain-question'
import type { PlainQuestion } from '@mangaassist/bookseller/dialogue/plain-question'
import { COMPLEXITIES } from '@mangaassist/bookseller/understanding/complexity'
import type { Complexity } from '@mangaassist/bookseller/understanding/complexity'
import { bundled } from '#config/installation.ts'
import type { RecordedTurn } from '#domain/routing/replay.ts'
import { parseCsv } from '#lib/text/csv.ts'
import { StartError } from './start-error.ts'

const COLUMNS = 'conversation,position,language,floor,simple,moderate,plain,prompt,answer,escalates'
const DIGITS = 4

/** The text of the file, from turns in the order in which they were held. */
export function writeBundledTurns(turns: readonly RecordedTurn[]): string {
  const lines = turns.flatMap(({ language, mismatches, outputTokens, position, received, sessionId, ...turn }) => {
    const { weighed } = turn
    if (weighed === undefined) return []
    const { floor, probabilities } = weighed.judged
    const prompt = turn.inputTokens > 0 ? turn.inputTokens : weighed.promptTokens
    return [
      [
        sessionId,
        position,
        language,
        floor,
        probabilities.simple.toFixed(DIGITS),
        probabilities.moderate.toFixed(DIGITS),
        weighed.plain.join(' '),
        prompt,
        outputTokens,
        mismatches.length > 0 ? 'mismatch' : received.askedAgain === true ? 'asked-again' : '',
      ].join(),
    ]
  })
  return `${[COLUMNS, ...lines].join('\n')}\n`
}

/** The newest first, as a store gives them. Throws a StartError. */
export async function readBundledTurns(folder: string = bundled.data): Promise<readonly RecordedTurn[]> {
  const path = join(folder, 'bundled-turns.csv')
  const [head, ...rows] = parseCsv(await readText(path))
  if (head?.join() !== COLUMNS) throw new StartError(`${path}:1: the columns must be ${COLUMNS}`)
  return rows
    .map((row, index) => {
      const turn = turnOf(row)
      if (turn === undefined) throw new StartError(`${path}: turn ${index + 1} (${row.join()}) is not valid`)
      return turn
    })
    .reverse()
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new StartError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function turnOf(row: readonly string[]): RecordedTurn | undefined {
  const [sessionId = '', position, language, floor, simple, moderate, plain = '', prompt, answer, escalates = ''] = row
  const [at, sureSimple, sureModerate, inputTokens, outputTokens] = [position, simple, moderate, prompt, answer].map(
    (text) => (text === undefined || text === '' ? Number.NaN : Number(text)),
  ) as [number, number, number, number, number]
  const questions = plain.split(' ').filter((kind) => kind !== '')
  const isValid =
    sessionId !== '' &&
    (language === 'ja' || language === 'en') &&
    COMPLEXITIES.includes(floor as Complexity) &&
    questions.every((kind) => PLAIN_QUESTIONS.includes(kind as PlainQuestion)) &&
    [at, sureSimple, sureModerate, inputTokens, outputTokens].every((value) => value >= 0) &&
    sureSimple + sureModerate <= 1.001
  if (!isValid) return undefined
  const complex = Math.max(0, 1 - sureSimple - sureModerate)
  return {
    sessionId,
    position: at,
    userTier: 'free',
    language,
    tier: 'embedded',
    model: 'embedded',
    isCached: false,
    inputTokens,
    outputTokens,
    costMicroUsd: 0,
    weighed: {
      judged: {
        floor: floor as Complexity,
        probabilities: { simple: sureSimple, moderate: sureModerate, complex },
      },
      plain: questions as PlainQuestion[],
      promptTokens: inputTokens,
    },
    mismatches: escalates === 'mismatch' ? ['price'] : [],
    received: escalates === 'asked-again' ? { askedAgain: true } : {},
  }
}
