// Settings that are allowed but probably mistakes: a wrong unit, a name in one language only, a model that is never
// asked. The server starts with them; `serve` logs each as a warning, and `doctor` prints it.
import { defaults } from '../config.ts'
import type { Config } from '../config.ts'
import type { ConfigProblem } from './problem.ts'

type Warning = Omit<ConfigProblem, 'isWarning'>

/** A cent: a smaller amount is hardly intended. */
const MICRO_USD_MIN = 10_000
const MICRO = 1_000_000

/** Settings whose own value is wrong (`isWrong`) are skipped: one mistake is reported once. */
export function checkDoubts(config: Config, isWrong: (path: string) => boolean): ConfigProblem[] {
  const sections = {
    amounts: ['tiers', 'alarms', 'summaries', 'state'],
    proxies: ['server'],
    languages: ['store'],
    reach: ['models', 'ladder'],
  }
  const isSound = (names: readonly string[]) => !names.some((name) => isWrong(name) || hasWrong(config, name, isWrong))
  return [
    ...(isSound(sections.amounts) ? amounts(config) : []),
    ...(isSound(sections.proxies) ? proxies(config) : []),
    ...(isSound(sections.languages) ? languages(config) : []),
    ...(isSound(sections.reach) ? unreached(config) : []),
  ].map((warning) => ({ ...warning, isWarning: true }))
}

function hasWrong(config: Config, name: string, isWrong: (path: string) => boolean): boolean {
  const visit = (value: unknown, path: string): boolean =>
    isWrong(path) ||
    (typeof value === 'object' &&
      value !== null &&
      Object.entries(value).some(([key, item]) =>
        visit(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
      ))
  return visit(config[name as keyof Config], name)
}

function amounts({ alarms, state, summaries, tiers }: Config): Warning[] {
  const settings: readonly (readonly [string, number])[] = [
    ...Object.entries(tiers).map(([name, tier]) => [`tiers.${name}.microUsdPerDay`, tier.microUsdPerDay] as const),
    ['alarms.userMicroUsdPerDay', alarms.userMicroUsdPerDay],
    // Zero is a valid choice here.
    ['summaries.microUsdPerDay', summaries.microUsdPerDay || MICRO_USD_MIN],
    ['state.alone.microUsdPerUser', state.alone.microUsdPerUser],
    ['state.alone.microUsdPerNode', state.alone.microUsdPerNode],
  ]
  return settings
    .filter(([, amount]) => amount < MICRO_USD_MIN)
    .map(([path, amount]) => ({
      path,
      given: `${amount}, which is ${(amount / MICRO).toFixed(6)} USD`,
      allowed: 'millionths of a dollar: 1 USD is 1000000',
      fix: `Multiply ${path} by 1000000 if dollars were meant.`,
    }))
}

function proxies({ server }: Config): Warning[] {
  if (server.trustProxy || server.proxies === defaults.server.proxies) return []
  return [
    {
      path: 'server.proxies',
      given: `${server.proxies}, while server.trustProxy is false`,
      allowed: 'a number that counts only with server.trustProxy',
      fix: 'Set server.trustProxy to true if proxies stand in front, else remove server.proxies.',
    },
  ]
}

/** A shop that set a text in one language has the placeholder in the other. */
function languages({ store }: Config): Warning[] {
  return (['name', 'contact'] as const).flatMap((field) => {
    const isDefault = (language: 'ja' | 'en') => store[field][language] === defaults.store[field][language]
    if (isDefault('ja') === isDefault('en')) return []
    const path = `store.${field}.${isDefault('ja') ? 'ja' : 'en'}`
    const given = `nothing, so the placeholder ${JSON.stringify(isDefault('ja') ? store[field].ja : store[field].en)}`
    const fix = `Add ${path}: the storefront and the assistant speak both languages.`
    return [{ path, given, allowed: 'the text in both languages', fix }]
  })
}

function unreached({ ladder, models }: Config): Warning[] {
  const reached = new Set(ladder)
  // The set grows while it is iterated: fallbacks of fallbacks are reached too.
  for (const name of reached) for (const next of models[name]?.fallbacks ?? []) reached.add(next)
  return Object.keys(models)
    .filter((name) => !reached.has(name))
    .map((name) => ({
      path: `models.${name}`,
      given: 'a model that is not on the ladder and is no fallback of one that is',
      allowed: 'a model that the assistant can ask',
      fix: `Add ${JSON.stringify(name)} to ladder, or ignore this if only programs ask it by name at /v1.`,
    }))
}
