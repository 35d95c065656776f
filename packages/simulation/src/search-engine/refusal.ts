// An error as OpenSearch reports it: a status, a type and a reason.

export class EngineRefusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, reason: string) {
    super(reason)
    this.status = status
    this.type = type
  }

  get body() {
    const error = { type: this.type, reason: this.message }
    return { error: { root_cause: [error], ...error }, status: this.status }
  }
}

export const parsing = (reason: string): EngineRefusal => new EngineRefusal(400, 'parsing_exception', reason)
export const illegal = (reason: string): EngineRefusal => new EngineRefusal(400, 'illegal_argument_exception', reason)
export const badMapping = (reason: string): EngineRefusal => new EngineRefusal(400, 'mapper_parsing_exception', reason)
export const noIndex = (index: string): EngineRefusal =>
  new EngineRefusal(404, 'index_not_found_exception', `no such index [${index}]`)

export type Json = Readonly<Record<string, unknown>>

export function asObject(value: unknown, what: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw parsing(`${what} must be an object`)
}

/** Refuses a key that is not listed. */
export function only(value: Json, allowed: readonly string[], refuse: (key: string) => EngineRefusal): void {
  const unknown = Object.keys(value).find((key) => !allowed.includes(key))
  if (unknown !== undefined) throw refuse(unknown)
}
