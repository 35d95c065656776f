// Maps the errors of the AI SDK's providers to the failure classes of the model port.
import { fieldsOf } from '#lib/collections/fields-of.ts'
import { failure, failureOf, networkFailureOf } from '#domain/model/model-failure.ts'
import type { ModelFailure } from '#domain/model/model-part.ts'
import { hostOf, requestIdIn, vendorFault } from '#domain/model/vendor-fault.ts'
import type { VendorFault } from '#domain/model/vendor-fault.ts'
import { retryAfterMs } from '#lib/time/retry-after.ts'

/** The provider could not decode one chunk; the rest of the answer may be good. */
const UNDECODABLE: ReadonlySet<unknown> = new Set(['AI_JSONParseError', 'AI_TypeValidationError'])

export function isUndecodable(error: unknown): boolean {
  return UNDECODABLE.has(fieldsOf(error).name)
}

export function classifyAiSdkError(error: unknown, nowMs: number, hasBegun: boolean): ModelFailure {
  const failed = classOf(error, nowMs, hasBegun)
  return { ...failed, fault: { ...failed.fault, ...aboutOf(error) } }
}

/**
 * A provider package knows its own address: an error of it names the whole URL. Where it could not read the vendor's body, its
 * message is the status in words, and the body says more.
 */
function aboutOf(error: unknown): Pick<VendorFault, 'host' | 'message' | 'requestId'> {
  const { url, responseHeaders, responseBody, data } = fieldsOf(error)
  const { message, detail } = fieldsOf(data === undefined ? parsed(responseBody) : undefined)
  const words = [message, detail].find((value) => typeof value === 'string' && value !== '')
  const host = typeof url === 'string' ? hostOf(url) : undefined
  const requestId = requestIdIn(fieldsOf(responseHeaders))
  const said = words === undefined ? {} : vendorFault({ message: words })
  return { ...said, ...(host === undefined ? {} : { host }), ...(requestId === undefined ? {} : { requestId }) }
}

function classOf(error: unknown, nowMs: number, hasBegun: boolean): ModelFailure {
  const { statusCode, responseHeaders, responseBody, data, name } = fieldsOf(error)
  const network = networkFailureOf(error, hasBegun)
  if (network !== undefined) return network
  if (name === 'AI_APICallError' && statusCode === undefined) return failure('connection', messageOf(error))
  if (name === 'AI_LoadAPIKeyError') return failure('access-denied', messageOf(error))
  const said = fieldsOf(fieldsOf(data ?? parsed(responseBody)).error ?? error)
  const names = [said.code, said.type]
  if (typeof statusCode === 'number' && statusCode >= 400) {
    const wait = retryAfterMs(headerOf(responseHeaders, 'retry-after'), nowMs)
    return failureOf({ status: statusCode, message: messageOf(error), names, retryAfterMs: wait })
  }
  // An error event inside a stream that began well, or a body that is not a stream.
  if (said.message !== undefined || said.type !== undefined) {
    const status = typeof said.code === 'number' && said.code >= 400 ? said.code : 200
    if (!(error instanceof Error)) return failureOf({ status, message: messageOf(error), names })
  }
  if (typeof error === 'string') return failureOf({ status: 200, message: error })
  return failure(hasBegun ? 'stream-broken' : 'internal', messageOf(error))
}

function messageOf(error: unknown): string {
  const { message } = fieldsOf(error)
  return typeof message === 'string' ? message : String(error)
}

function headerOf(headers: unknown, name: string): string | undefined {
  const value = fieldsOf(headers)[name]
  return typeof value === 'string' ? value : undefined
}

function parsed(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}
