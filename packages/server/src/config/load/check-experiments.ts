// Checks `experiments`: a split that could not be read afterwards, such as one without a control or with two changes of one
// setting at once, must not start.
import type { Config } from '../config.ts'
import { CONTROL, HOLDOUT, overlaps } from '#domain/experiments/assign.ts'
import { armRouting } from '#domain/experiments/arm-routing.ts'
import { splitOf } from '#domain/experiments/experiment-settings.ts'
import type { ArmChange } from '#domain/experiments/experiment-settings.ts'
import { checkRouting } from './check-routing.ts'
import type { ConfigProblem } from './problem.ts'

type Experiment = Config['experiments']['list'][string]
type Named = readonly [string, Experiment]

/** Settings whose own value is wrong (`isWrong`) are skipped: one mistake is reported once. */
export function checkExperiments(config: Config, isWrong: (path: string) => boolean): ConfigProblem[] {
  if (['experiments', 'experiments.list', 'ladder', 'models', 'routing', 'tiers', 'tokens'].some(isWrong)) return []
  const right = Object.entries(config.experiments.list).filter(([name]) => !isWithin(isWrong, pathOf(name)))
  return [...right.flatMap((named) => ofOne(config, named)), ...ofPairs(right)]
}

/** Something in the experiment is wrong by itself. */
function isWithin(isWrong: (path: string) => boolean, path: string): boolean {
  const parts = ['', '.layer', '.from', '.to', '.arms', '.outcome', '.guard']
  return parts.some((part) => isWrong(`${path}${part}`))
}

const pathOf = (name: string): string => `experiments.list.${name}`

function ofOne(config: Config, [name, experiment]: Named): ConfigProblem[] {
  const path = pathOf(name)
  const { arms, from = 0, to = 1 } = experiment
  const names = Object.keys(arms)
  const problems: (ConfigProblem | false)[] = [
    from >= to && {
      path: `${path}.to`,
      given: `${to}`,
      allowed: `more than ${path}.from (${from})`,
      fix: 'Change one of them: no shopper would take part.',
    },
    (arms[CONTROL] === undefined || names.length < 2) && {
      path: `${path}.arms`,
      given: names.length === 0 ? 'no arms' : names.join(', '),
      allowed: `the arm ${CONTROL} and at least one other`,
      fix: `Add the missing arm: every other arm is compared with ${CONTROL}.`,
    },
    arms[CONTROL]?.change !== undefined && {
      path: `${path}.arms.${CONTROL}.change`,
      given: Object.keys(arms[CONTROL].change).join(', '),
      allowed: 'nothing',
      fix: `Remove it: ${CONTROL} is what shoppers get without the experiment.`,
    },
    arms[HOLDOUT] !== undefined && {
      path: `${path}.arms.${HOLDOUT}`,
      given: `an arm named ${HOLDOUT}`,
      allowed: `any name but ${HOLDOUT}`,
      fix: 'Rename the arm: the holdout is recorded under this name.',
    },
  ]
  const ofArms = Object.entries(arms).flatMap(([arm, { change }]) =>
    change === undefined ? [] : ofChange(config, `${path}.arms.${arm}.change`, change),
  )
  return [...problems.filter((problem) => problem !== false), ...ofArms]
}

/** Checks the arm's routing as if it were configured, and reports what the arm says of it. */
function ofChange(config: Config, path: string, change: ArmChange): ConfigProblem[] {
  const routing = armRouting(config.routing, change) as Config['routing']
  const { levels, maxTokens, rules, routing: isSwitched } = change
  const isOwn = (at: string) =>
    (at.startsWith('routing.levels') && (levels !== undefined || isSwitched === true)) ||
    (at.startsWith('routing.rules') && rules !== undefined)
  const wrong = checkRouting({ ...config, routing }, () => false).filter((problem) => isOwn(problem.path))
  const { outputUsefulMin } = config.tokens
  const problems: (ConfigProblem | false)[] = [
    (levels !== undefined || rules !== undefined) &&
      !routing.enabled && {
        path,
        given: 'levels or rules without routing',
        allowed: 'levels and rules together with routing',
        fix: 'Add routing: true to the change, or set routing.enabled: the arm would be like control.',
      },
    maxTokens !== undefined &&
      maxTokens < outputUsefulMin && {
        path: `${path}.maxTokens`,
        given: `${maxTokens}`,
        allowed: `at least tokens.outputUsefulMin (${outputUsefulMin})`,
        fix: 'Raise it: with less no model would be asked.',
      },
  ]
  const moved = wrong.map((problem) => ({ ...problem, path: problem.path.replace(/^routing/u, path) }))
  return [...problems.filter((problem) => problem !== false), ...moved]
}

function ofPairs(experiments: readonly Named[]): ConfigProblem[] {
  const shared = overlaps(experiments.map(([name, experiment]) => splitOf(name, experiment)))
  const overlapping = shared.map(([one, other]) => ({
    path: pathOf(other),
    given: `the layer and part of the range of ${one}`,
    allowed: 'a range of its own in the layer, or another layer',
    fix: 'Set from and to of both so that they do not overlap, or another layer if each shopper may be in both.',
  }))
  const twice = experiments.flatMap(([other, experiment], index) =>
    experiments.slice(0, index).flatMap(([one, before]) => {
      const both = changedBy(before).filter((setting) => changedBy(experiment).includes(setting))
      if (both.length === 0 || splitOf(one, before).layer === splitOf(other, experiment).layer) return []
      return {
        path: pathOf(other),
        given: `a change of ${both.join(' and ')}, as in ${one}, in another layer`,
        allowed: 'changes of settings that no experiment of another layer changes',
        fix: 'Put both into one layer with ranges that do not overlap: a shopper in both could get only one of the changes.',
      }
    }),
  )
  return [...overlapping, ...twice]
}

function changedBy({ arms }: Experiment): readonly (keyof ArmChange)[] {
  const changed = Object.values(arms).flatMap(({ change = {} }) => Object.keys(change) as (keyof ArmChange)[])
  return [...new Set(changed)]
}
