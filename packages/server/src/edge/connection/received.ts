// Makes the app's request from a validated question: its known fields and nothing else that the client may have sent.
import type { ChatRequest } from '@mangaassist/protocol'
import type { Received } from '#turn/turn.ts'

export function receivedFrom(
  request: ChatRequest,
  context: Pick<Received, 'principal' | 'route' | 'requestId' | 'writer' | 'network' | 'attempt' | 'scope'>,
): Received {
  const { baseVersion, continues, idempotencyKey, interfaceLanguage, language, maxTokens } = request
  const { message, page, replaces, sessionId } = request
  return {
    ...context,
    message,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(language === undefined ? {} : { language }),
    ...(interfaceLanguage === undefined ? {} : { interfaceLanguage }),
    ...pageIn(page),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(baseVersion === undefined ? {} : { baseVersion }),
    ...(replaces === undefined ? {} : { replaces }),
    ...(continues === undefined ? {} : { continues }),
  }
}

function pageIn(page: ChatRequest['page']): Pick<Received, 'page'> {
  if (page?.productId === undefined && page?.path === undefined) return {}
  const { productId, path } = page
  return { page: { ...(productId === undefined ? {} : { productId }), ...(path === undefined ? {} : { path }) } }
}
