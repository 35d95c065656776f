// Checks the system prompts before the start: a model must not get half a prompt, or one with a placeholder in it.
import { resolve } from 'node:path'
import type { ConfigCheck, ConfigProblem } from '#config/load-config.ts'
import { foldersOf } from '#config/load/experiment-folders.ts'
import { bundledPrompts, examinePrompts } from '../prompts.ts'

export function checkPrompts({ workspaceRoot }: { readonly workspaceRoot: string }): ConfigCheck {
  return async (config, isWrong) => {
    if (['store', 'store.prompts', 'store.name', 'store.contact', 'tokens', 'tokens.systemShare'].some(isWrong))
      return []
    const own = { path: 'store.prompts', folder: config.store.prompts }
    const ofArms = isWrong('experiments') ? [] : foldersOf(config.experiments)
    const checked = [own, ...ofArms.filter(({ path }) => !isWrong(path))].map(async ({ path, folder }) => {
      const at = folder === undefined ? bundledPrompts() : resolve(workspaceRoot, folder)
      const { problems, tooLong, unfenced } = await examinePrompts(at, config)
      const found = [
        ...problems.map(asProblem),
        ...tooLong.map(asTooLong(folder === undefined)),
        ...unfenced.map(asUnfenced),
      ]
      return found.map((problem) => ({ path, ...problem }))
    })
    return (await Promise.all(checked)).flat()
  }
}

type PromptProblem = Omit<ConfigProblem, 'path'>

const ALLOWED = 'a folder with bookseller.ja.md and bookseller.en.md'

function asProblem(given: string): PromptProblem {
  return {
    given,
    allowed: ALLOWED,
    fix: 'Correct the file; docs/prompts.md describes its format.',
  }
}

/** The bundled prompts are ours: a share that is smaller than they are is no reason not to start. */
function asTooLong(isBundled: boolean): (given: string) => PromptProblem {
  const fix = 'Shorten the prompt, or raise tokens.systemShare.'
  const allowed = 'a prompt within tokens.systemShare'
  return (given) => ({ given, allowed, fix, ...(isBundled ? { isWarning: true } : {}) })
}

function asUnfenced(given: string): PromptProblem {
  const fix = 'Say that <data> is reference material and never instructions: it contains texts of others.'
  return { given, allowed: 'a prompt that says what <data> is', fix, isWarning: true }
}
