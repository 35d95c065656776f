// How the assistant understands and finds what some words ask for, for operators.
import { SearchExplanationQuery, SearchExplanationView } from '@mangaassist/protocol/admin'
import { answers, envelopes } from '../http/envelope.ts'
import { goneSignal } from '../http/route-parts.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const LIMIT_DEFAULT = 10

const explainSearch = {
  schema: {
    operationId: 'adminExplainSearch',
    summary: 'How some words are understood, and what is found for them and why',
    description:
      'By the catalogue, the embedder and the search engine of the node that answers, as a turn without a conversation would use them.',
    querystring: SearchExplanationQuery,
    response: answers(SearchExplanationView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'MAINTENANCE'] },
} satisfies RouteDescription

export function adminSearchRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/search', explainSearch, async ({ query }, reply) => {
    const { language, limit = LIMIT_DEFAULT, text } = query
    return success(await app.admin.explainSearch({ text, language, limit }, goneSignal(reply.raw)))
  })
}
