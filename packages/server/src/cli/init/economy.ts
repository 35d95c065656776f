// The models that `init` offers beside the chosen one, to be asked first where most questions do not need it: those at a third of its
// price or less that can be used from here, each with what routing would save.
import type { Config } from '#config/config.ts'
import { defaults } from '#config/config.ts'
import { isFarAbove, typicalCost } from '#domain/routing/propose-routing.ts'
import { proposeHere, savingText } from '../route/proposal.ts'
import { offersHere } from './offers.ts'
import type { Offer, OfferParts } from './offers.ts'

export interface EconomyOffer {
  readonly offer: Offer
  /** In words, for the person who chooses: `52 % over 755 bundled turns`. */
  readonly saving: string
}

const OFFERS_MAX = 5

/** Those of the same provider first. `shop`: the configuration so far, whose recorded turns are routed. */
export async function economyOffers(
  primary: Offer,
  parts: OfferParts,
  shop: Config | undefined,
): Promise<readonly EconomyOffer[]> {
  const price = parts.book.factsOf(primary.model)?.price
  if (price === undefined) return []
  const isOwn = ({ model }: Offer) => model.provider === primary.model.provider
  const lesser = offersHere(parts).filter(({ model }) => {
    const other = model.provider === 'embedded' ? undefined : parts.book.factsOf(model)?.price
    return other !== undefined && isFarAbove(price, other)
  })
  const nearest = [...lesser.filter(isOwn), ...lesser.filter((offer) => !isOwn(offer))].slice(0, OFFERS_MAX)
  const offers: EconomyOffer[] = []
  for (const offer of nearest) {
    const models = { primary: primary.model, economy: offer.model }
    const proposal = await proposeHere(
      {
        routing: defaults.routing,
        ladder: Object.keys(models),
        priceOf: (name) => parts.book.factsOf(models[name as keyof typeof models])?.price,
      },
      shop,
    )
    if (proposal !== undefined) offers.push({ offer, saving: savingText(proposal) })
  }
  return offers
}

/** Whether the first costs less than the second, by the prices that are known. */
export function costsLess(offer: Offer, than: Offer, { book }: Pick<OfferParts, 'book'>): boolean {
  const [price, other] = [offer, than].map(({ model }) => book.factsOf(model)?.price)
  return price !== undefined && other !== undefined && typicalCost(price) < typicalCost(other)
}
