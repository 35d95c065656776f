// Reads a scenario from the text of its file. Reports all problems at once, each with its path, the given value, the
// allowed values and the fix; an invalid scenario never runs.
import { parse } from 'yaml'
import { nearest } from '@mangaassist/server/lib/text/nearest'
import { checkShape, isObject } from '@mangaassist/server/config/load/check-shape'
import { showGiven } from '@mangaassist/server/config/load/problem'
import type { ConfigProblem } from '@mangaassist/server/config/load/problem'
import type { SchemaNode } from '@mangaassist/server/config/load/schema-node'
import { faultShapes, spanOf } from './fault-shapes.ts'
import type { Fault, FaultKind } from './fault-shapes.ts'
import { completeScenario, ScenarioShape } from './scenario.ts'
import type { FleetScenario } from './scenario.ts'

/** Lists every problem of a scenario. */
export class FleetScenarioError extends Error {
  readonly problems: readonly ConfigProblem[]

  constructor(file: string, problems: readonly ConfigProblem[], options?: ErrorOptions) {
    super(describe(file, problems), options)
    this.name = 'FleetScenarioError'
    this.problems = problems
  }
}

/** `file` is the name used in error messages. */
export function readFleetScenario(text: string, file: string): FleetScenario {
  const value = parsed(text, file)
  const sourceOf = (path: string) => `${path === '' ? 'the text' : path} of ${file}`
  const faults = isObject(value) && Array.isArray(value['faults']) ? (value['faults'] as unknown[]) : []
  const problems = [
    ...checkShape(ScenarioShape as SchemaNode, value, { path: '', sourceOf }),
    ...faults.flatMap((fault, index) => checkFault(fault, `faults[${index}]`, sourceOf)),
  ]
  if (problems.length > 0) throw new FleetScenarioError(file, problems)
  const scenario = completeScenario(value as Parameters<typeof completeScenario>[0])
  const further = checkRelations(scenario)
  if (further.length > 0) throw new FleetScenarioError(file, further)
  return scenario
}

function parsed(text: string, file: string): unknown {
  try {
    return (parse(text) as unknown) ?? {}
  } catch (error) {
    const given = error instanceof Error ? error.message.trim() : String(error)
    const problem = {
      path: file,
      given,
      allowed: 'a scenario in YAML',
      fix: 'Fix the YAML at the position that the error names.',
    }
    throw new FleetScenarioError(file, [problem], { cause: error })
  }
}

function checkFault(fault: unknown, path: string, sourceOf: (path: string) => string): ConfigProblem[] {
  const kinds = Object.keys(faultShapes)
  if (!isObject(fault)) {
    const allowed = 'an object with kind, atS and the fields of the kind'
    return [{ path, given: showGiven(path, fault), allowed, fix: `Change ${sourceOf(path)}.` }]
  }
  const kind = String(fault['kind'])
  if (Object.hasOwn(faultShapes, kind)) return checkShape(faultShapes[kind as FaultKind], fault, { path, sourceOf })
  const meant = nearest(kind, kinds)
  const given = showGiven(`${path}.kind`, fault['kind'])
  const fix = meant === undefined ? `Change ${sourceOf(`${path}.kind`)}.` : `Did you mean ${meant}?`
  return [{ path: `${path}.kind`, given, allowed: `one of ${kinds.join(', ')}`, fix }]
}

// Checks relations between fields, which the schemas cannot express.
function checkRelations(scenario: FleetScenario): ConfigProblem[] {
  const steps = scenario.arrivals.shape
  return [
    ...steps.flatMap(({ atS }, index) => {
      const before = steps[index - 1]?.atS ?? -1
      if (atS > before) return []
      const path = `arrivals.shape[${index}].atS`
      return [{ path, given: String(atS), allowed: `later than ${before}`, fix: 'Put the steps in order.' }]
    }),
    ...scenario.ladder.flatMap(({ name, size: { tokensPerSecond } }) => {
      if (tokensPerSecond[0] <= tokensPerSecond[1]) return []
      const given = tokensPerSecond.join(', ')
      const path = `ladder.${name}.tokensPerSecond`
      return [{ path, given, allowed: 'the slowest, then the fastest', fix: 'Swap them.' }]
    }),
    ...scenario.faults.flatMap((fault, index) => checkFaultIn(scenario, fault, `faults[${index}]`)),
  ]
}

function checkFaultIn(scenario: FleetScenario, fault: Fault, path: string): ConfigProblem[] {
  return [
    ...checkLength(fault, path),
    ...checkEnd(scenario, fault, path),
    ...checkTarget(scenario, fault, path),
    ...checkCount(scenario, fault, path),
  ]
}

function checkLength(fault: Fault, path: string): ConfigProblem[] {
  if (fault.kind === 'state-restart' || fault.kind === 'node-crash') return []
  const { atS, forS, untilS } = fault
  const allowed = 'forS or untilS, one of the two'
  if (forS === undefined && untilS === undefined) {
    return [{ path, given: 'neither forS nor untilS', allowed, fix: 'Add forS or untilS.' }]
  }
  if (forS !== undefined && untilS !== undefined) {
    return [{ path, given: 'both forS and untilS', allowed, fix: 'Remove one of them.' }]
  }
  if (untilS !== undefined && untilS <= atS) {
    return [{ path: `${path}.untilS`, given: String(untilS), allowed: `later than atS, ${atS}`, fix: 'Make it later.' }]
  }
  if (forS !== 0) return []
  return [{ path: `${path}.forS`, given: '0', allowed: 'a number greater than 0', fix: 'Make it longer.' }]
}

function checkEnd({ durationS }: FleetScenario, fault: Fault, path: string): ConfigProblem[] {
  const endsAtS = spanOf(fault).toMs / 1000
  if (endsAtS <= durationS) return []
  const allowed = `an end within durationS, ${durationS}`
  return [{ path, given: `an end at ${endsAtS} s`, allowed, fix: 'End it sooner, or make durationS longer.' }]
}

function checkTarget({ ladder }: FleetScenario, fault: Fault, path: string): ConfigProblem[] {
  const target = 'target' in fault ? fault.target : undefined
  const names = [...ladder.map(({ name }) => name), 'all']
  if (target === undefined || names.includes(target)) return []
  const meant = nearest(target, names)
  const fix = meant === undefined ? 'Name a model of the ladder.' : `Did you mean ${meant}?`
  return [{ path: `${path}.target`, given: JSON.stringify(target), allowed: `one of ${names.join(', ')}`, fix }]
}

function checkCount({ nodes }: FleetScenario, fault: Fault, path: string): ConfigProblem[] {
  if (!('count' in fault) || fault.count <= nodes) return []
  const allowed = `at most nodes, ${nodes}`
  return [{ path: `${path}.count`, given: String(fault.count), allowed, fix: 'Lower the count.' }]
}

function describe(file: string, problems: readonly ConfigProblem[]): string {
  const title =
    problems.length === 1
      ? `The scenario ${file} has a problem:`
      : `The scenario ${file} has ${problems.length} problems:`
  const lines = problems.flatMap(({ path, given, allowed, fix }) => [
    `  ${path === '' ? 'the whole file' : path}`,
    `    given:   ${given}`,
    `    allowed: ${allowed}`,
    `    fix:     ${fix}`,
  ])
  return [title, ...lines].join('\n')
}
