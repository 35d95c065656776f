// Makes the app's request from a validated question: its known fields and nothing else that the client may have sent.
import type { ChatRequest } from '@mangaassist/protocol'
import type { Received } from '#turn/turn.ts'

export function receivedFrom(
  request: ChatRequest,
  context: Pick<Received, 'principal' | 'route' | 'requestId' | 'writer' | 'network' | 'attempt' | 'scope'>,
): Received {
  const { baseVersion, idempotencyKey, language, maxTokens, message, sessionId } = request
  return {
    ...context,
    message,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(language === undefined ? {} : { language }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(baseVersion === undefined ? {} : { baseVersion }),
  }
}
