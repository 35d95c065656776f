// Reads the data that comes with the program: catalogue with release dates, FAQ, word vectors, the model of understanding. It is
// checked by schemas: an invalid line stops the start and is named, else shoppers would be the first to notice missing products.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { LineCounter, parseDocument } from 'yaml'
import { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { decodeFaqWeights } from '@mangaassist/bookseller/catalogue/faq-weights'
import type { FaqWeights } from '@mangaassist/bookseller/catalogue/faq-weights'
import { complexityModel } from '@mangaassist/bookseller/understanding/complexity/model'
import type { ComplexityModel } from '@mangaassist/bookseller/understanding/complexity/model'
import { understandingModel } from '@mangaassist/bookseller/understanding/model/model'
import type { UnderstandingModel } from '@mangaassist/bookseller/understanding/model/model'
import { readWordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import { bundled } from '#config/installation.ts'
import { bundledSource } from '#domain/catalogue/sources.ts'
import { readReleases } from './bundled-releases.ts'
import { StartError } from './start-error.ts'

interface Line {
  readonly number: number
  readonly value: unknown
}

const PROBLEMS_LISTED_MAX = 20

export async function readCatalogue(
  folder: string = bundled.data,
): Promise<{ readonly products: readonly Product[]; readonly source: string }> {
  const path = join(folder, 'catalogue.jsonl')
  const text = await readFile(path, 'utf8')
  const lines = text
    .split('\n')
    .flatMap((line, index): Line[] =>
      line.trim() === '' ? [] : [{ number: index + 1, value: parseLine(path, line, index + 1) }],
    )
  const releases = await readReleases(folder)
  // The digest shows when a newer program has a newer file.
  const source = bundledSource(createHash('sha256').update(text).update(releases.text).digest('hex').slice(0, 16))
  return { products: releases.join(checked(path, lines, Product) as readonly Product[]), source }
}

export async function readFaq(folder: string = bundled.data): Promise<readonly FaqEntry[]> {
  return (await readYamlList(join(folder, 'faq.yaml'), FaqEntry)) as readonly FaqEntry[]
}

/** The trained model that reads messages, with the word vectors that it compares words by. */
export async function readUnderstanding(
  vectors: WordVectors,
  folder: string = bundled.data,
): Promise<UnderstandingModel> {
  return readBinary(join(folder, 'understanding', 'weights.bin'), (bytes) => understandingModel(bytes, vectors))
}

/** The trained model that judges how complex a message is. */
export async function readComplexity(folder: string = bundled.data): Promise<ComplexityModel> {
  return readBinary(join(folder, 'understanding', 'complexity.bin'), complexityModel)
}

/** The trained recognition of the bundled FAQ. */
export async function readFaqWeights(folder: string = bundled.data): Promise<FaqWeights> {
  return readBinary(join(folder, 'understanding', 'faq.bin'), decodeFaqWeights)
}

/** The word vectors by which search compares meanings. */
export async function readVectors(folder: string = bundled.data): Promise<WordVectors> {
  return readBinary(join(folder, 'vectors', 'words.bin'), readWordVectors)
}

async function readBinary<Value>(path: string, parse: (bytes: Uint8Array) => Value): Promise<Value> {
  try {
    return parse(await readFile(path))
  } catch (error) {
    throw new StartError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Reads a list of entries, each with a unique `id`. */
export async function readYamlList(path: string, schema: TSchema): Promise<readonly unknown[]> {
  const counter = new LineCounter()
  const document = parseDocument(await readFile(path, 'utf8'), { lineCounter: counter })
  const problem = document.errors[0]
  if (problem !== undefined) throw new StartError(`${path}: ${problem.message}`)
  const value: unknown = document.toJS()
  if (!Array.isArray(value)) throw new StartError(`${path}: must be a list of entries`)
  const lineOf = (index: number): number => {
    const node = document.getIn([index], true) as { range?: readonly number[] } | undefined
    return counter.linePos(node?.range?.[0] ?? 0).line
  }
  return checked(
    path,
    value.map((entry: unknown, index) => ({ number: lineOf(index), value: entry })),
    schema,
  )
}

function parseLine(path: string, line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new StartError(
      `${path}:${number}: is not valid JSON (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

function checked(path: string, lines: readonly Line[], schema: TSchema): readonly unknown[] {
  const validator = Compile(schema)
  const seen = new Map<unknown, number>()
  const problems: string[] = []
  for (const { number, value } of lines) {
    for (const error of validator.Check(value) ? [] : validator.Errors(value)) {
      problems.push(
        `${path}:${number}: ${error.instancePath.slice(1).replaceAll('/', '.') || 'the entry'} ${error.message}`,
      )
    }
    const { id } = (value ?? {}) as { id?: unknown }
    const former = seen.get(id)
    if (former !== undefined)
      problems.push(`${path}:${number}: id ${JSON.stringify(id)} is also that of line ${former}`)
    seen.set(id, number)
  }
  if (problems.length > 0) throw new StartError(problems.slice(0, PROBLEMS_LISTED_MAX).join('\n'))
  return lines.map(({ value }) => value)
}
