// Describes an invalid input for the developer who sent it: the field, and what it must be.
import { Refusal } from '#domain/refusal.ts'

/** The part of a schema error that both TypeBox and Fastify report. */
interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: unknown
  readonly message?: string | undefined
}

export function invalid(field: string, problem: string): Refusal {
  return new Refusal('INVALID_REQUEST', { details: { field, reason: problem } })
}

/** Names the first invalid field; `whole` is the name of the input itself. */
export function invalidBySchema(errors: readonly SchemaError[], whole: string): Refusal {
  const first = errors[0]
  if (first === undefined) return invalid(whole, 'is not valid')
  const path = first.instancePath.split('/').filter((part) => part !== '')
  const missing = first.keyword === 'required' ? firstMissing(first.params) : undefined
  if (missing !== undefined) return invalid([...path, missing].join('.'), 'is required')
  return invalid(path.join('.') || whole, choiceIn(errors, first) ?? first.message ?? 'is not valid')
}

/**
 * The allowed values of a field that is a choice of constants. The validator reports one error for each constant, and
 * another for the type.
 */
function choiceIn(errors: readonly SchemaError[], { instancePath }: SchemaError): string | undefined {
  const own = errors.filter((error) => error.instancePath === instancePath && error.keyword !== 'anyOf')
  const alternatives = [...Map.groupBy(own, ({ schemaPath }) => schemaPath).values()]
  const values = alternatives.map((of) => of.map(valueIn).find((value) => value !== undefined))
  // If the field may also be something other than a constant, a list of the constants would be wrong.
  if (values.includes(undefined) || own.every(({ keyword }) => keyword !== 'const')) return undefined
  return `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`
}

function valueIn({ keyword, params }: SchemaError): string | undefined {
  const { allowedValue, type } = params as { readonly allowedValue?: unknown; readonly type?: unknown }
  return keyword === 'const' ? String(allowedValue) : type === 'null' ? 'null' : undefined
}

function firstMissing(params: unknown): string | undefined {
  const named = (params as { requiredProperties?: readonly string[] }).requiredProperties
  return named?.[0]
}
