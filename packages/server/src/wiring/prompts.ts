// Reads the system prompts: the bundled ones, or those of the folder that the shop configured. Both languages are needed, and a
// file that cannot be used stops the start and is named.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { foldersOf } from '#config/load/experiment-folders.ts'
import { bundled } from '#config/installation.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { filledPrompt, problemsOfPrompt, promptName, systemPrompts } from '#domain/prompt/system-prompts.ts'
import type { SystemPrompts } from '#domain/prompt/system-prompts.ts'
import { StartError } from './start-error.ts'

const LANGUAGES = ['ja', 'en'] as const satisfies readonly Language[]
const NAME = 'bookseller'

export const bundledPrompts = (): string => join(bundled.data, 'prompts')

/** Throws a StartError that lists every problem. */
export async function readPrompts(folder: string = bundledPrompts()): Promise<SystemPrompts> {
  const { files, problems } = await readFiles(folder)
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  return systemPrompts(files)
}

/** Those of the arms of experiments, by folder. */
export async function readArmPrompts({ experiments }: Config): Promise<ReadonlyMap<string, SystemPrompts>> {
  const folders = foldersOf(experiments).map(({ folder }) => folder)
  return new Map(await Promise.all(folders.map(async (folder) => [folder, await readPrompts(folder)] as const)))
}

export interface JudgePrompt {
  /** As of the system prompts: a name and a digest. */
  readonly version: string
  readonly text: string
}

/** Throws a StartError. */
export async function readJudgePrompt(): Promise<JudgePrompt> {
  const { text: file, problems } = await readOne(join(bundledPrompts(), 'judge.md'))
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  const { version, texts } = systemPrompts({ ja: file, en: file })
  return { version, text: texts.en }
}

export interface PromptFindings {
  /** What makes the files unusable. */
  readonly problems: readonly string[]
  /** Files above the share of tokens. */
  readonly tooLong: readonly string[]
  /** Files that do not mention the fence of the data. */
  readonly unfenced: readonly string[]
}

/** Examines the prompts of a folder under the other settings. Each finding begins with the path of its file. */
export async function examinePrompts(
  folder: string,
  { store, tokens }: Pick<Config, 'store' | 'tokens'>,
): Promise<PromptFindings> {
  const { files, problems } = await readFiles(folder)
  if (problems.length > 0) return { problems, tooLong: [], unfenced: [] }
  const { texts } = systemPrompts(files)
  const sized = LANGUAGES.map((language) => {
    const values = { store: store.name[language], contact: store.contact[language] }
    return { path: pathOf(folder, language), size: genericCounter.text(filledPrompt(texts[language], values)) }
  })
  return {
    problems,
    tooLong: sized
      .filter(({ size }) => size > tokens.systemShare)
      .map(({ path, size }) => `${path}: has about ${size} tokens; tokens.systemShare is ${tokens.systemShare}`),
    unfenced: LANGUAGES.filter((language) => !texts[language].includes('<data>')).map(
      (language) => `${pathOf(folder, language)}: does not say what <data> is`,
    ),
  }
}

const pathOf = (folder: string, language: Language): string => join(folder, `${NAME}.${language}.md`)

async function readFiles(
  folder: string,
): Promise<{ readonly files: Readonly<Record<Language, string>>; readonly problems: readonly string[] }> {
  const read = await Promise.all(LANGUAGES.map((language) => readOne(pathOf(folder, language))))
  const [ja = '', en = ''] = read.map(({ text }) => text)
  const problems = read.flatMap((file) => file.problems)
  const isSame = problems.length > 0 || promptName(ja) === promptName(en)
  const differ = `${pathOf(folder, 'en')}: has the version "${promptName(en)}", but the Japanese prompt has "${promptName(ja)}"`
  return { files: { ja, en }, problems: isSame ? problems : [differ] }
}

async function readOne(path: string): Promise<{ readonly text: string; readonly problems: readonly string[] }> {
  try {
    const text = await readFile(path, 'utf8')
    return { text, problems: problemsOfPrompt(text).map((problem) => `${path}: ${problem}`) }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return { text: '', problems: [isMissing ? `${path}: is missing` : `${path}: cannot be read (${String(error)})`] }
  }
}
