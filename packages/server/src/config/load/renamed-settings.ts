// Settings with a new name. The old name still works, with a warning, so that an upgrade breaks no configuration.
import { isObject } from './check-shape.ts'
import type { ConfigProblem } from './problem.ts'

interface Renamed {
  readonly section: string
  readonly before: string
  readonly now: string
}

const RENAMED: readonly Renamed[] = [
  { section: 'streaming', before: 'lookMs', now: 'stalledPollMs' },
  { section: 'streaming', before: 'stalledLooksMax', now: 'stalledPollsMax' },
  { section: 'answers', before: 'lookMs', now: 'lookupMs' },
]

/** Moves values under old names in the configuration file to the new names. When both are set, the new one counts. */
export function withNewNames(file: unknown): { readonly value: unknown; readonly warnings: readonly ConfigProblem[] } {
  let value = file
  const warnings: ConfigProblem[] = []
  for (const { before, now, section } of RENAMED) {
    const settings = isObject(value) ? value[section] : undefined
    if (!isObject(settings) || settings[before] === undefined) continue
    const { [before]: old, ...others } = settings
    value = { ...(value as object), [section]: { ...others, [now]: others[now] ?? old } }
    warnings.push(renameWarning(`${section}.${before}`, `${section}.${now}`))
  }
  return { value, warnings }
}

/** The path in capitals of a setting whose old path in capitals this is, such as `STREAMING__LOOKMS`. */
export function newNameOf(oldName: string): string | undefined {
  const inCapitals = (section: string, name: string) => `${section}__${name}`.toUpperCase()
  const renamed = RENAMED.find(({ section, before }) => inCapitals(section, before) === oldName)
  return renamed && inCapitals(renamed.section, renamed.now)
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
