// Schemas for the contract documents: plain JSON in which named schemas are references. They are the same schemas that
// validate, so no document promises what the server does not check.
import { describeError, errorCatalogue, errorCodes } from '@mangaassist/protocol'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export interface SchemaBook {
  /** Every named schema in full. */
  readonly schemas: JsonObject
  ref(name: string): JsonObject
  show(schema: unknown): Json
}

export function schemaBook(named: Readonly<Record<string, unknown>>): SchemaBook {
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))
  const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
  const inside = (value: unknown): Json => {
    if (typeof value !== 'object' || value === null) return value as Json
    if (Array.isArray(value)) return value.map(show)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, show(inner)]))
  }
  const show = (schema: unknown): Json => {
    const name = names.get(schema)
    return name === undefined ? inside(schema) : ref(name)
  }
  const schemas = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, inside(schema)]))
  return { schemas, ref, show }
}

/** The error catalogue for the documents: the texts for shoppers in both languages, and the retry times. */
export function errorTable(): JsonObject {
  const entries = errorCodes.map((code): [string, Json] => {
    const { retryAfterMs, status } = describeError(code, 'en')
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
    return [code, { status, ...wait, message: { ...errorCatalogue[code].message } }]
  })
  return Object.fromEntries(entries)
}
