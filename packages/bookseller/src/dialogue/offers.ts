// Follow-ups that make sense after an answer, two or three of them. The first is what "yes" means.
import type { Product } from '../catalogue/catalogue.ts'
import type { Grounding } from '../grounding.ts'
import type { FollowUp } from '../wording/lines.ts'

const OFFERS_MAX = 3

export function offersFor(grounding: Grounding, shown: readonly Product[]): readonly FollowUp[] {
  return candidatesFor(grounding, shown).slice(0, OFFERS_MAX)
}

function candidatesFor(grounding: Grounding, shown: readonly Product[]): readonly FollowUp[] {
  const { intent, state } = grounding
  const [first, second] = shown
  const { limits } = state.conditions
  switch (intent.kind) {
    case 'suggest':
    case 'unstocked':
    case 'works':
      if (first === undefined)
        return limits.totalYenMax === undefined
          ? [{ offer: 'others' }, { offer: 'funny' }, { offer: 'moving' }]
          : [{ offer: 'relax-budget' }, { offer: 'others' }]
      return [
        { offer: 'synopsis', product: first },
        ...(second === undefined ? [] : [{ offer: 'compare', products: [first, second] } as const]),
        ...(limits.status === undefined ? [{ offer: 'finished' } as const] : []),
        { offer: 'shorter' },
      ]
    case 'identify':
      return first === undefined
        ? [{ offer: 'person' }, { offer: 'funny' }]
        : [
            { offer: 'synopsis', product: first },
            { offer: 'similar', product: first },
            { offer: 'total', product: first },
          ]
    case 'introduce':
    case 'inform':
    case 'fit':
    case 'explain':
    case 'choose':
      return first === undefined ? [{ offer: 'funny' }, { offer: 'moving' }] : about(first, intent, grounding)
    case 'sum':
    case 'compare':
      return [
        ...(first === undefined ? [] : [{ offer: 'buy', product: first } as const]),
        ...(second === undefined ? [] : [{ offer: 'synopsis', product: second } as const]),
        ...(first === undefined ? [] : [{ offer: 'similar', product: first } as const]),
      ]
    case 'buy':
      return first === undefined
        ? [{ offer: 'funny' }, { offer: 'short-finished' }]
        : [{ offer: 'similar', product: first }, { offer: 'shipping' }]
    case 'order':
      return [{ offer: 'person' }, { offer: 'returns' }]
    case 'complaint':
      return intent.grievance === 'answer'
        ? [{ offer: 'funny' }, { offer: 'person' }]
        : [{ offer: 'person' }, { offer: 'returns' }]
    case 'person':
      return [{ offer: 'tracking' }, { offer: 'returns' }]
    case 'faq':
      return besidePolicy(intent.id)
    case 'ask':
    case 'talk':
      return forTalk(grounding)
  }
}

/** After an answer about the service only the service is offered, and not what was just asked. */
function besidePolicy(id: string): readonly FollowUp[] {
  if (OF_BOOKS.has(id)) return [{ offer: 'person' }, { offer: 'short-finished' }]
  const isReturn = id.startsWith('returns')
  return [{ offer: 'person' }, isReturn ? { offer: 'shipping' } : { offer: 'returns' }]
}
/** Entries of the FAQ that are about what to read. */
const OF_BOOKS: ReadonlySet<string> = new Set(['popular-series', 'gift-ideas'])

function about(product: Product, { kind }: { readonly kind: string }, { intent }: Grounding): readonly FollowUp[] {
  const asked: readonly string[] = intent.kind === 'inform' ? intent.facts : []
  const all: readonly FollowUp[] = [
    ...(product.stock === 0 ? [{ offer: 'similar', product } as const] : []),
    ...(kind === 'choose' ? [{ offer: 'buy', product } as const] : []),
    ...(asked.includes('total') ? [] : [{ offer: 'total', product } as const]),
    ...(product.stock === 0 ? [] : [{ offer: 'similar', product } as const]),
    ...(product.author === undefined ? [] : [{ offer: 'works', product } as const]),
  ]
  return all
}

function forTalk({ intent, products }: Grounding): readonly FollowUp[] {
  if (intent.kind === 'ask' && intent.what === 'series')
    return products.slice(0, 3).map((product) => ({ offer: 'synopsis', product }))
  if (intent.kind === 'talk' && (intent.topic === 'bye' || intent.topic === 'distress')) return []
  if (intent.kind === 'talk' && intent.topic === 'noted') return [{ offer: 'funny' }, { offer: 'moving' }]
  return [{ offer: 'funny' }, { offer: 'moving' }, { offer: 'short-finished' }]
}
