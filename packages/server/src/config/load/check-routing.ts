// Checks `routing` against the ladder and the tiers: without this check a rule for a model that is never asked would
// have no effect, silently.
import type { Config } from '../config.ts'
import { ladderNames } from '#domain/model/ladder-names.ts'
import { OWN_RULES } from '#domain/routing/routing-settings.ts'
import { nearest } from '#lib/text/nearest.ts'
import { showGiven } from './problem.ts'
import type { ConfigProblem } from './problem.ts'

type Rule = Config['routing']['rules'][number]

/** Settings whose own value is wrong (`isWrong`) are skipped: one mistake is reported once. */
export function checkRouting(config: Config, isWrong: (path: string) => boolean): ConfigProblem[] {
  if (['routing', 'routing.rules', 'ladder', 'models', 'tiers'].some(isWrong)) return []
  const { enabled, levels, rules } = config.routing
  // The defaults name models that a shop without routing need not have.
  const used = enabled
    ? Object.entries(levels).map(([level, name]) => [`routing.levels.${level}`, [name]] as const)
    : []
  const named = rules.flatMap(({ use, when }, index) => [
    [`routing.rules[${index}].use`, [use]] as const,
    [`routing.rules[${index}].when.lanesDown`, when?.lanesDown ?? []] as const,
  ])
  return [
    ...[...used, ...named]
      .filter(([path]) => !isWrong(path))
      .flatMap(([path, names]) => strangers(config, path, names)),
    ...rules.flatMap((rule, index) => (isWrong(`routing.rules[${index}]`) ? [] : ruleProblems(config, rule, index))),
  ].filter(({ path }) => !isWrong(path))
}

function strangers(config: Config, path: string, given: readonly string[]): ConfigProblem[] {
  const onLadder = ladderNames(config)
  const stranger = given.find((name) => !onLadder.includes(name))
  if (stranger === undefined) return []
  const meant = nearest(stranger, onLadder)
  const hint = meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `
  return [
    {
      path,
      given: showGiven(path, stranger),
      allowed: `names on the ladder: ${onLadder.join(', ')}`,
      fix: `${hint}Change ${path}, or add the model to models and to the ladder.`,
    },
  ]
}

function ruleProblems({ routing, tiers }: Config, { name, when }: Rule, index: number): ConfigProblem[] {
  const path = `routing.rules[${index}]`
  const tier = (when?.userTiers ?? []).find((each) => !Object.hasOwn(tiers, each))
  const problems: (ConfigProblem | false)[] = [
    routing.rules.findIndex((rule) => rule.name === name) < index && {
      path: `${path}.name`,
      given: showGiven(path, name),
      allowed: 'a name that no other rule has',
      fix: 'Rename one of them: the name says which rule decided.',
    },
    OWN_RULES.some((own) => own === name) && {
      path: `${path}.name`,
      given: showGiven(path, name),
      allowed: `any name but ${OWN_RULES.join(', ')}`,
      fix: 'Rename the rule: routing has rules of its own with these names.',
    },
    tier !== undefined && {
      path: `${path}.when.userTiers`,
      given: showGiven(path, tier),
      allowed: `names of tiers: ${Object.keys(tiers).join(', ')}`,
      fix: 'Change it, or add the tier to tiers.',
    },
    Object.keys(when ?? {}).length === 0 && {
      path: `${path}.when`,
      given: 'no condition',
      allowed: 'at least one condition',
      fix: 'Add a condition: a rule that always holds would decide every turn, which levels can say.',
    },
  ]
  return problems.filter((problem) => problem !== false)
}
