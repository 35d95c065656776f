// The page that staff open by a link, without an account: the one conversation that a person was called to.
import { SessionDetail } from '@mangaassist/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { TRANSCRIPTS_PATH } from './transcript-links.ts'

const readTranscript = {
  schema: {
    operationId: 'readTranscript',
    summary: 'The conversation of a staff link',
    description:
      'For one conversation and one day, read-only; each read is in the audit. A browser gets plain text, a program JSON.',
    params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: answers(SessionDetail),
  },
  config: { errors: ['NOT_FOUND'] },
} satisfies RouteDescription

// Set first: a refusal must not be stored either.
const storedByNoCache = {
  onRequest: async (_request: FastifyRequest, reply: FastifyReply) => void reply.header('cache-control', 'no-store'),
}

export function staffRoutes(
  http: Routes,
  { app, clock, transcripts }: Pick<HttpParts, 'app' | 'clock' | 'transcripts'>,
): void {
  const { success } = envelopes(clock)

  http.get(`${TRANSCRIPTS_PATH}/:token`, { ...readTranscript, ...storedByNoCache }, async (request, reply) => {
    const detail = await app.transcript(transcripts.sessionOf(request.params.token))
    // The link is a secret: it is sent to no page that this one links to.
    reply.header('referrer-policy', 'no-referrer')
    if (request.headers.accept?.includes('text/html') === true) {
      return reply.type('text/plain; charset=utf-8').send(asText(detail) as never)
    }
    return success(detail)
  })
}

function asText({ sessionId, title, turns }: SessionDetail): string {
  const said = turns.map(({ at, question, answer, finishReason, tier }) =>
    [`${at} · ${tier} · ${finishReason}`, `Q: ${question}`, `A: ${answer}`].join('\n'),
  )
  return [`${title}\n${sessionId}`, ...said].join('\n\n') + '\n'
}
