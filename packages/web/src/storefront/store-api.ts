// The storefront's requests to the server. Responses are data of the shop: they are shown as text, never as markup.
import type { ErrorEnvelope, FaqItem, Language, ProductCard, ProductDetail } from '@mangaassist/protocol'

/** A card in the list of products. */
export type Series = ProductCard & { readonly demographic?: string }
export type SeriesDetail = ProductDetail
export type { FaqItem }

export interface SeriesPage {
  readonly items: readonly Series[]
  /** The value of `after` for the next page; absent on the last one. */
  readonly next: string | undefined
}

export interface Faq {
  readonly items: readonly FaqItem[]
  readonly contact: string | undefined
}

/** The state of a request. `missing`: the server answered that there is no such thing. */
export type Remote<Data> =
  | { readonly type: 'loading' }
  | { readonly type: 'ready'; readonly data: Data }
  | { readonly type: 'missing' }
  | { readonly type: 'failed' }

interface Success<Data> {
  readonly success: true
  readonly data: Data
  readonly metadata?: { readonly next?: string | null; readonly contact?: string | null }
}

const answerWithinMs = 15_000

export class NotFound extends Error {
  override readonly name = 'NotFound'
}

export async function listSeries(query: URLSearchParams, language: Language): Promise<SeriesPage> {
  const { data, metadata } = await get<Series[]>(`/api/products?${query.toString()}`, language)
  return { items: data, next: metadata?.next ?? undefined }
}

export async function readSeries(id: string, language: Language): Promise<SeriesDetail> {
  return (await get<SeriesDetail>(`/api/products/${encodeURIComponent(id)}?language=${language}`, language)).data
}

export async function readFaq(language: Language): Promise<Faq> {
  const { data, metadata } = await get<FaqItem[]>(`/api/faq?language=${language}`, language)
  return { items: data, contact: metadata?.contact ?? undefined }
}

async function get<Data>(path: string, language: Language): Promise<Success<Data>> {
  const response = await fetch(path, {
    headers: { 'accept-language': language },
    signal: AbortSignal.timeout(answerWithinMs),
  })
  if (response.status === 404) throw new NotFound(path)
  const envelope = (await response.json()) as Success<Data> | ErrorEnvelope
  if (!envelope.success) throw new Error(envelope.error.message)
  return envelope
}
