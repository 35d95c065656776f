// The names and values of attributes on the wire: those of the tables in `domain/telemetry`, and for a field that no table has
// `mangaassist.` and the field in snake case.
import type { Attributes, HrTime } from '@opentelemetry/api'
import { spanAttributes } from '#domain/telemetry/span-attributes.ts'
import type { SpanField } from '#domain/telemetry/span-attributes.ts'
import type { TelemetryFields } from '#ports/telemetry/port.ts'

const OURS = 'mangaassist.'
const CONVERSATION = spanAttributes.sessionId

/** `isCall`: the fields of one call of a model. Elsewhere they have names of ours: a backend that adds up tokens would count a turn twice. */
export function attributesOf(fields: TelemetryFields, isCall = false): Attributes {
  const attributes: Attributes = {}
  for (const field in fields) {
    const value = fields[field]
    if (value !== undefined) attributes[nameOf(field, isCall)] = value
  }
  return attributes
}

const names = new Map<string, string>()

function nameOf(field: string, isCall: boolean): string {
  const key = isCall ? `call ${field}` : field
  let name = names.get(key)
  if (name === undefined) {
    name = newName(field, isCall)
    names.set(key, name)
  }
  return name
}

function newName(field: string, isCall: boolean): string {
  const known = Object.hasOwn(spanAttributes, field) ? spanAttributes[field as SpanField] : undefined
  const isMisplaced = !isCall && known?.startsWith('gen_ai.') === true && known !== CONVERSATION
  if (known !== undefined && !isMisplaced) return known
  return OURS + field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const MS_PER_SECOND = 1000
const NANOS_PER_MS = 1_000_000

export function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / MS_PER_SECOND)
  return [seconds, Math.round((ms - seconds * MS_PER_SECOND) * NANOS_PER_MS)]
}
