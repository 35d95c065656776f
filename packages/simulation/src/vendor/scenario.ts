// Reads a scenario file in YAML or JSON: pace, text and faults. Reports all problems at once.
import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { parse } from 'yaml'
import { nearest } from '@mangaassist/server/lib/text/nearest'
import { isObject } from './call.ts'
import { faultSchemas } from './faults.ts'
import type { VendorFault, FaultName } from './faults.ts'

const scriptedAnswerSchema = Type.Object(
  { when: Type.String({ minLength: 1 }), model: Type.Optional(Type.String({ minLength: 1 })), text: Type.String() },
  { additionalProperties: false },
)

const positive = () => Type.Integer({ minimum: 1 })
const rate = () => Type.Number({ exclusiveMinimum: 0 })

const capacitySchema = Type.Object(
  {
    slots: positive(),
    tokensPerMinute: positive(),
    firstTokenMs: positive(),
    tokensPerSecond: Type.Tuple([rate(), rate()]),
  },
  { additionalProperties: false },
)

const share = () => Type.Optional(Type.Number({ minimum: 0, maximum: 1 }))

const healthSchema = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    slotShare: share(),
    quotaShare: share(),
    errorShare: share(),
    silenceShare: share(),
    cutShare: share(),
    stallShare: share(),
    slowShare: share(),
    slowMs: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
)

const scenarioSchema = Type.Object(
  {
    seed: Type.Optional(Type.Integer()),
    pace: Type.Optional(
      Type.Object(
        {
          firstTokenMs: Type.Optional(Type.Number({ minimum: 0 })),
          firstTokenP95Ms: Type.Optional(Type.Number({ minimum: 0 })),
          tokensPerSecond: Type.Optional(Type.Number({ minimum: 0 })),
        },
        { additionalProperties: false },
      ),
    ),
    regions: Type.Optional(Type.Record(Type.String({ minLength: 1 }), capacitySchema)),
    identicalText: Type.Optional(Type.String({ minLength: 1 })),
    answers: Type.Optional(Type.Array(scriptedAnswerSchema)),
    models: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    faults: Type.Optional(Type.Array(Type.Unknown())),
  },
  { additionalProperties: false },
)

export type Scenario = Omit<Static<typeof scenarioSchema>, 'faults'> & { readonly faults: readonly VendorFault[] }

export class ScenarioError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
    this.problems = problems
  }
}

export function readScenario(text: string): Scenario {
  const value = parseYaml(text) ?? {}
  const faults = isObject(value) && Array.isArray(value.faults) ? value.faults : []
  const answers = isObject(value) && Array.isArray(value.answers) ? value.answers : []
  const problems = [
    ...problemsOf(scenarioSchema, value, ''),
    ...answers.flatMap(patternProblems),
    ...faults.flatMap(faultProblems),
  ]
  if (problems.length > 0) throw new ScenarioError(problems)
  return { ...(value as Static<typeof scenarioSchema>), faults: faults as VendorFault[] }
}

export function readFaults(faults: readonly unknown[]): readonly VendorFault[] {
  const problems = faults.flatMap(faultProblems)
  if (problems.length > 0) throw new ScenarioError(problems)
  return faults as VendorFault[]
}

export function readHealth(value: unknown): Static<typeof healthSchema> {
  const problems = problemsOf(healthSchema, value, 'health')
  if (problems.length > 0) throw new ScenarioError(problems)
  return value as Static<typeof healthSchema>
}

function parseYaml(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new ScenarioError([error instanceof Error ? error.message : String(error)], { cause: error })
  }
}

function patternProblems(value: unknown, index: number): string[] {
  const { when } = isObject(value) ? value : {}
  if (typeof when !== 'string') return []
  try {
    void new RegExp(when, 'u')
    return []
  } catch (error) {
    return [`answers[${index}].when: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function faultProblems(value: unknown, index: number): string[] {
  const path = `faults[${index}]`
  const name = isObject(value) ? String(value.fault) : ''
  if (Object.hasOwn(faultSchemas, name)) return problemsOf(faultSchemas[name as FaultName], value, path)
  const names = Object.keys(faultSchemas)
  const meant = nearest(name, names)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return [`${path}.fault: ${JSON.stringify(name)} is none of ${names.join(', ')}.${hint}`]
}

function problemsOf(schema: TSchema, value: unknown, path: string): string[] {
  // typebox reports an unknown property also as a false `boolean` schema; one report is enough.
  const errors = Errors(schema, value).filter(({ keyword }) => keyword !== 'boolean')
  return errors.map(({ instancePath, message, params }) => {
    const position = `${path}${instancePath.replaceAll('/', '.')}`.replace(/^\./, '') || 'scenario'
    return `${position}: ${message}${namesIn(params)}`
  })
}

/** The library's messages omit the names that the reader needs. */
function namesIn(params: object): string {
  if ('allowedValues' in params) return `: ${String(params.allowedValues).replaceAll(',', ', ')}`
  if ('additionalProperties' in params) return `: ${String(params.additionalProperties).replaceAll(',', ', ')}`
  return ''
}
