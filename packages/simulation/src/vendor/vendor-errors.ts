// The errors of each vendor: status, name and message before a stream, and the name inside one.
import type { Api } from './call.ts'

interface ErrorText {
  readonly status: number
  /** `x-amzn-errortype` of Bedrock, `type` of OpenAI. */
  readonly type: string
  readonly message: string
  readonly code?: string
}

interface VendorError {
  readonly bedrock: ErrorText
  readonly openai: ErrorText
  /** Bedrock's name for it inside a stream, in the lower camel case of the wire; absent if it has none. */
  readonly inStream?: string
}

const server = (status: number, message: string): ErrorText => ({ status, type: 'server_error', message })
const invalid = (message: string, code?: string): ErrorText => ({
  status: 400,
  type: 'invalid_request_error',
  message,
  ...(code === undefined ? {} : { code }),
})
const bedrock = (status: number, type: string, message: string): ErrorText => ({ status, type, message })

export const vendorErrors = {
  throttled: {
    bedrock: bedrock(429, 'ThrottlingException', 'Too many tokens, please wait before trying again.'),
    openai: { status: 429, type: 'tokens', code: 'rate_limit_exceeded', message: 'Rate limit reached.' },
    inStream: 'throttlingException',
  },
  'quota-exhausted': {
    bedrock: bedrock(400, 'ServiceQuotaExceededException', 'Your account has exceeded a service quota.'),
    openai: {
      status: 429,
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      message: 'You exceeded your current quota, please check your plan and billing details.',
    },
  },
  'not-ready': {
    bedrock: bedrock(429, 'ModelNotReadyException', 'The model is not ready for inference. Wait and try again.'),
    openai: { status: 503, type: 'unavailable_error', message: 'Loading model' },
  },
  unavailable: {
    bedrock: bedrock(503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.'),
    openai: server(503, 'The engine is currently overloaded, please try again later.'),
    inStream: 'serviceUnavailableException',
  },
  internal: {
    bedrock: bedrock(500, 'InternalServerException', 'The system encountered an unexpected error.'),
    openai: server(500, 'The server had an error while processing your request.'),
    inStream: 'internalServerException',
  },
  timeout: {
    bedrock: bedrock(408, 'ModelTimeoutException', 'Model has timed out in processing the request.'),
    openai: { status: 408, type: 'timeout', message: 'Request timed out.' },
    inStream: 'modelTimeoutException',
  },
  'model-error': {
    bedrock: bedrock(424, 'ModelErrorException', 'The model had an error while processing the request.'),
    openai: server(502, 'Upstream error.'),
    inStream: 'modelStreamErrorException',
  },
  validation: {
    bedrock: bedrock(400, 'ValidationException', 'Malformed input request, please reformat your input and try again.'),
    openai: invalid('Invalid value for a parameter.'),
    inStream: 'validationException',
  },
  'access-denied': {
    bedrock: bedrock(403, 'AccessDeniedException', "You don't have access to the model with the specified model ID."),
    openai: {
      status: 401,
      type: 'invalid_request_error',
      code: 'invalid_api_key',
      message: 'Incorrect API key provided.',
    },
  },
  'not-found': {
    bedrock: bedrock(404, 'ResourceNotFoundException', 'Could not resolve the foundation model from the identifier.'),
    openai: {
      status: 404,
      type: 'invalid_request_error',
      code: 'model_not_found',
      message: 'The model does not exist or you do not have access to it.',
    },
  },
  'context-too-long': {
    bedrock: bedrock(400, 'ValidationException', 'Input is too long for requested model.'),
    openai: invalid("This model's maximum context length is exceeded by your messages.", 'context_length_exceeded'),
  },
  'no-prefill': {
    bedrock: bedrock(
      400,
      'ValidationException',
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    ),
    openai: invalid('The last message must not have the role assistant.'),
  },
} as const satisfies Readonly<Record<string, VendorError>>

export type ErrorName = keyof typeof vendorErrors

/** Overrides of the vendor's usual error. */
export interface ErrorChanges {
  readonly status?: number
  readonly type?: string
  readonly message?: string
  readonly retryAfterSeconds?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

function isOpenai(api: Api): boolean {
  return api === 'chat' || api === 'chat-stream' || api === 'embeddings'
}

export function refusalOf(api: Api, name: ErrorName, changes: ErrorChanges = {}): HttpAnswer {
  const { retryAfterSeconds, ...overrides } = changes
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  if (isOpenai(api)) {
    const { status = vendorErrors[name].openai.status, ...rest } = overrides
    return { status, headers: retryAfter, body: openaiError(name, rest) }
  }
  const { status, type, message }: ErrorText = { ...vendorErrors[name].bedrock, ...overrides }
  return { status, headers: { ...retryAfter, 'x-amzn-errortype': type }, body: { message } }
}

/** An error in OpenAI's shape, in a body or inside a stream. */
export function openaiError(name: ErrorName, changes: Pick<ErrorChanges, 'type' | 'message'> = {}): unknown {
  const { type, message, code }: ErrorText = { ...vendorErrors[name].openai, ...changes }
  return { error: { message, type, param: null, code: code ?? null } }
}

/** The name and the message of an error inside a Bedrock stream. */
export function bedrockException(name: ErrorName): { readonly type: string; readonly message: string } {
  const { bedrock, inStream = 'internalServerException' }: VendorError = vendorErrors[name]
  return { type: inStream, message: bedrock.message }
}
