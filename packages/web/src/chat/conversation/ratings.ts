// Sends the reader's thumbs, each answer's in order. A thumb is shown at once; when it could not be saved, the last one that
// was is shown again, and a written reason stays in its field.
import type { Client } from '@mangaassist/client'
import type { FeedbackValue } from '@mangaassist/protocol'
import type { ExchangeList } from './exchange-list.ts'
import { chosen } from './rating.ts'
import type { Rating } from './rating.ts'

export interface Ratings {
  rate(id: number, thumb: FeedbackValue): void
  /** Adds a reason to a thumb down; an empty one only closes the field. */
  explain(id: number, reason: string): void
  /** Reports a card that was opened, once. The page may be left at once. */
  opened(id: number, productId: string): void
}

export interface RatingsParts {
  readonly client: Pick<Client, 'feedback' | 'opened'>
  readonly exchanges: ExchangeList
  readonly sessionId: () => string | undefined
}

export function createRatings({ client, exchanges, sessionId }: RatingsParts): Ratings {
  /** The value that the server has, and the last call, by exchange. */
  const saved = new Map<number, FeedbackValue | null>()
  const calls = new Map<number, Promise<void>>()
  const reported = new Set<string>()

  function update(id: number, next: (rating: Rating) => Rating): void {
    exchanges.update(id, (exchange) =>
      exchange.rating === undefined ? exchange : { ...exchange, rating: next(exchange.rating) },
    )
  }

  function send(id: number, value: FeedbackValue | null, reason?: string): void {
    const turnId = exchanges.find(id)?.turnId
    if (turnId === undefined) return
    const options = { reason, sessionId: sessionId() }
    const call = (calls.get(id) ?? Promise.resolve())
      .then(() => client.feedback(turnId, value, options))
      .then(() => {
        saved.set(id, value)
        if (reason !== undefined) update(id, (rating) => ({ ...rating, asks: false, note: 'thanks' }))
      })
      .catch(() => {
        if (calls.get(id) !== call) return
        const last = saved.get(id) ?? null
        update(id, ({ asks }) => ({ value: last, asks: asks && last === 'down', note: 'failed' }))
      })
    calls.set(id, call)
  }

  return {
    rate(id, thumb) {
      const rating = exchanges.find(id)?.rating
      if (rating === undefined) return
      if (!saved.has(id)) saved.set(id, rating.value)
      const next = chosen(rating, thumb)
      update(id, () => next)
      send(id, next.value)
    },
    explain(id, reason) {
      const rating = exchanges.find(id)?.rating
      if (rating?.value !== 'down' || !rating.asks) return
      if (reason.trim() === '') return update(id, () => ({ value: 'down', asks: false, note: 'thanks' }))
      update(id, () => ({ value: 'down', asks: true }))
      send(id, 'down', reason.trim())
    },
    opened(id, productId) {
      const turnId = exchanges.find(id)?.turnId
      const card = `${turnId} ${productId}`
      if (turnId === undefined || reported.has(card)) return
      reported.add(card)
      client.opened(turnId, productId, { sessionId: sessionId() }).catch(() => {})
    },
  }
}
