// What staff read by a link of their own, without an account: the one conversation that a person was called to.
import { EnvelopeMetadata, SessionDetail, successEnvelope } from '@mangaassist/protocol'
import Type from 'typebox'
import { isoTime } from '#lib/time/iso-time.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'
import { TRANSCRIPTS_PATH } from './transcript-links.ts'

export function staffRoutes(http: Routes, { app, clock, transcripts }: HttpParts): void {
  http.get(
    `${TRANSCRIPTS_PATH}/:token`,
    {
      schema: {
        operationId: 'readTranscript',
        summary: 'The conversation of a link that came with a call to a person',
        description:
          'For one conversation and one day, read-only; each reading is in the audit. A browser gets plain text, a program JSON.',
        params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
        response: { 200: successEnvelope(SessionDetail, EnvelopeMetadata) },
      },
      config: { errors: ['NOT_FOUND'] },
      // Before anything can fail: a refusal is not stored either.
      onRequest: async (_request, reply) => void reply.header('cache-control', 'no-store'),
    },
    async (request, reply) => {
      const detail = await app.transcript(transcripts.sessionOf(request.params.token))
      // The link is a secret: it is sent to no page that this one links to.
      reply.header('referrer-policy', 'no-referrer')
      if (request.headers.accept?.includes('text/html') === true) {
        return reply.type('text/plain; charset=utf-8').send(asText(detail) as never)
      }
      return { success: true as const, data: detail, metadata: { timestamp: isoTime(clock.now()) } }
    },
  )
}

function asText({ sessionId, title, turns }: SessionDetail): string {
  const said = turns.map(({ at, question, answer, finishReason, tier }) =>
    [`${at} · ${tier} · ${finishReason}`, `Q: ${question}`, `A: ${answer}`].join('\n'),
  )
  return [`${title}\n${sessionId}`, ...said].join('\n\n') + '\n'
}
