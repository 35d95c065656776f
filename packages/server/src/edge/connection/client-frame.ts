// Checks a client's text frame by the schema of its type. An invalid frame is a value, not a throw: the connection stays,
// and the error names the request when it is known.
import { clientFrames } from '@mangaassist/protocol'
import type { ClientFrame } from '@mangaassist/protocol'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Validator } from 'typebox/compile'
import type { Refusal } from '#domain/refusal.ts'
import { invalid, invalidBySchema } from '../http/problem.ts'

type FrameType = keyof typeof clientFrames

/** The request or turn of an error, as far as the frame names it. */
export interface About {
  readonly requestId?: string
  readonly turnId?: string
  readonly sessionId?: string
}

export type ParsedFrame =
  | { readonly kind: 'frame'; readonly frame: ClientFrame; readonly about: About }
  | { readonly kind: 'invalid'; readonly refusal: Refusal; readonly about: About }

const validators = Object.fromEntries(
  Object.entries(clientFrames).map(([type, schema]) => [type, Compile<TSchema>(schema)]),
) as Readonly<Record<FrameType, Validator>>

const ID_LENGTH_MAX = 128

export function parseClientFrame(text: string): ParsedFrame {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'invalid', refusal: invalid('frame', 'is not valid JSON'), about: {} }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'invalid', refusal: invalid('frame', 'must be a JSON object'), about: {} }
  }
  const about = aboutOf(value)
  const type = 'type' in value ? value.type : undefined
  if (!isFrameType(type)) {
    return { kind: 'invalid', refusal: invalid('type', `must be one of ${Object.keys(validators).join(', ')}`), about }
  }
  const validator = validators[type]
  if (!validator.Check(value))
    return { kind: 'invalid', refusal: invalidBySchema(validator.Errors(value), 'frame'), about }
  return { kind: 'frame', frame: value as ClientFrame, about }
}

function isFrameType(type: unknown): type is FrameType {
  return typeof type === 'string' && Object.hasOwn(validators, type)
}

function aboutOf(frame: object): About {
  const id = (name: string): string | undefined => {
    const value = (frame as Record<string, unknown>)[name]
    return typeof value === 'string' && value.length > 0 && value.length <= ID_LENGTH_MAX ? value : undefined
  }
  const requestId = id('requestId')
  const turnId = id('turnId')
  const sessionId = id('sessionId')
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(turnId === undefined ? {} : { turnId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
}
