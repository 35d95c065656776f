// The envelope of every success under `/api`: its schema for routes, and its values for handlers.
import { EnvelopeMetadata, PagedMetadata, successEnvelope } from '@mangaassist/protocol'
import type { TSchema } from 'typebox'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'

export const answers = <Data extends TSchema>(data: Data) => ({ 200: successEnvelope(data, EnvelopeMetadata) })

/** Has `metadata.next` while there is more. */
export const answersInPages = <Data extends TSchema>(data: Data) => ({ 200: successEnvelope(data, PagedMetadata) })

export function envelopes(clock: Pick<Clock, 'now'>) {
  const timestamp = () => isoTime(clock.now())
  return {
    success: <Data>(data: Data) => ({ success: true as const, data, metadata: { timestamp: timestamp() } }),
    /** `next`: the start of the next page; undefined at the end. */
    page: <Data>(data: Data, next: string | undefined) => ({
      success: true as const,
      data,
      metadata: { timestamp: timestamp(), ...(next === undefined ? {} : { next }) },
    }),
  }
}
