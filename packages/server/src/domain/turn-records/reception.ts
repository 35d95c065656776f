// Changes of what is known about an answer's reception. Notes are only added to; the thumb can change.
import type { Feedback, Received } from './turn-record.ts'

export function withNoted(received: Received, noted: Omit<Received, 'feedback'>): Received {
  const cardsOpened = (received.cardsOpened ?? 0) + (noted.cardsOpened ?? 0)
  const resumed = (received.resumed ?? 0) + (noted.resumed ?? 0)
  return {
    ...received,
    ...noted,
    ...(cardsOpened === 0 ? {} : { cardsOpened }),
    ...(resumed === 0 ? {} : { resumed }),
  }
}

export function withFeedback({ feedback: _, ...rest }: Received, feedback: Feedback | null): Received {
  return feedback === null ? rest : { ...rest, feedback }
}
