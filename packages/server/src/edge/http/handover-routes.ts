// A shopper's way to a person: what would be passed on and to whom, and the request.
import { HandoverAsk, HandoverPreview, HandoverView, Id, Language } from '@mangaassist/protocol'
import Type from 'typebox'
import { answers, envelopes } from './envelope.ts'
import { languageOf } from './route-parts.ts'
import type { HttpParts, RouteDescription, Routes } from './route-parts.ts'

const SessionParams = Type.Object({ sessionId: Id })

const previewHandover = {
  schema: {
    operationId: 'previewHandover',
    summary: 'The way to a person: the desk, when it answers, what it would get, and the request if there is one',
    params: SessionParams,
    querystring: Type.Object({
      language: Type.Optional(
        Type.Unsafe<Language>({ ...Language, description: 'The language of the texts. Default: `Accept-Language`.' }),
      ),
    }),
    response: answers(HandoverPreview),
  },
  config: { errors: ['NOT_FOUND', 'SESSION_EXPIRED'] },
} satisfies RouteDescription

const askForPerson = {
  schema: {
    operationId: 'askForPerson',
    summary: 'Ask for a person',
    description:
      'The shop’s staff see the request with the conversation and what is given here. A conversation has one request at a time: until it is closed, a repeat returns it.',
    params: SessionParams,
    body: HandoverAsk,
    response: answers(HandoverView),
  },
  config: { errors: ['INVALID_REQUEST', 'NOT_FOUND', 'SESSION_EXPIRED', 'RATE_LIMITED'] },
} satisfies RouteDescription

export function handoverRoutes(
  api: Routes,
  { app, clock, findNetwork }: Pick<HttpParts, 'app' | 'clock' | 'findNetwork'>,
): void {
  const { success } = envelopes(clock)

  api.get('/api/sessions/:sessionId/handover', previewHandover, async (request) => {
    const language = request.query.language ?? languageOf(request)
    return success(await app.previewHandover(request.principal, request.params.sessionId, language))
  })

  api.post('/api/sessions/:sessionId/handover', askForPerson, async (request) => {
    const { email, language, note, orderNumber } = request.body
    const asked = {
      network: findNetwork(request.raw),
      ...(email === undefined ? {} : { email }),
      ...(orderNumber === undefined ? {} : { orderNumber }),
      ...(note === undefined ? {} : { note }),
      ...(language === undefined ? {} : { language }),
    }
    return success(await app.askForPerson(request.principal, request.params.sessionId, asked))
  })
}
