// Describes an invalid input for the developer who sent it: the field, and what it must be.
import { Refusal } from '#domain/refusal.ts'

/** The part of a schema error that both TypeBox and Fastify report. */
interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
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
  return invalid(path.join('.') || whole, first.message ?? 'is not valid')
}

function firstMissing(params: unknown): string | undefined {
  const named = (params as { requiredProperties?: readonly string[] }).requiredProperties
  return named?.[0]
}
