// Settings with a new name, and settings that are gone. An old name still works, and a setting that is gone has no effect, with a
// warning each, so that an upgrade breaks no configuration.
import { isObject } from './check-shape.ts'
import type { ConfigProblem } from './problem.ts'

interface Formerly {
  readonly section: string
  readonly before: string
}

const RENAMED: readonly (Formerly & { readonly now: string })[] = [
  { section: 'streaming', before: 'lookMs', now: 'stalledPollMs' },
  { section: 'streaming', before: 'stalledLooksMax', now: 'stalledPollsMax' },
]

/** Each follows from another setting. */
const GONE: readonly (Formerly & { readonly from: string })[] = [
  { section: 'deadlines', before: 'usefulMs', from: 'answers.firstWordMs' },
  { section: 'deadlines', before: 'contextMs', from: 'answers.firstWordMs' },
  { section: 'deadlines', before: 'retrievalMs', from: 'answers.firstWordMs' },
  { section: 'answers', before: 'lookMs', from: 'answers.firstWordMs' },
  { section: 'answers', before: 'lookupMs', from: 'answers.firstWordMs' },
  { section: 'answers', before: 'followMs', from: 'answers.firstWordMs' },
]

/** Moves values under old names in the configuration file to the new names, and drops those that are gone. When both names are set, the new one counts. */
export function withNewNames(file: unknown): { readonly value: unknown; readonly warnings: readonly ConfigProblem[] } {
  let value = file
  const warnings: ConfigProblem[] = []
  for (const { before, section, ...then } of [...RENAMED, ...GONE]) {
    const settings = isObject(value) ? value[section] : undefined
    if (!isObject(settings) || settings[before] === undefined) continue
    const { [before]: old, ...others } = settings
    const moved = 'now' in then ? { [then.now]: others[then.now] ?? old } : {}
    value = { ...(value as object), [section]: { ...others, ...moved } }
    const path = `${section}.${before}`
    warnings.push('now' in then ? renameWarning(path, `${section}.${then.now}`) : goneWarning(path, then.from))
  }
  return { value, warnings }
}

const inCapitals = (section: string, name: string): string => `${section}__${name}`.toUpperCase()

/** The path in capitals of a setting whose old path in capitals this is, such as `STREAMING__LOOKMS`. */
export function newNameOf(oldName: string): string | undefined {
  const renamed = RENAMED.find(({ section, before }) => inCapitals(section, before) === oldName)
  return renamed && inCapitals(renamed.section, renamed.now)
}

/** The setting that a setting which is gone follows from, by its path in capitals. */
export function followsFrom(oldName: string): string | undefined {
  return GONE.find(({ section, before }) => inCapitals(section, before) === oldName)?.from
}

export function renameWarning(oldName: string, newName: string): ConfigProblem {
  return {
    path: oldName,
    given: 'the old name of a setting',
    allowed: newName,
    fix: `Rename it to ${newName}.`,
    isWarning: true,
  }
}

export function goneWarning(name: string, from: string): ConfigProblem {
  return {
    path: name,
    given: 'a setting that is gone',
    allowed: `nothing: it follows from ${from}`,
    fix: `Remove it, and set ${from} if needed.`,
    isWarning: true,
  }
}
