// The demo, and what shipping costs. A part of `config.ts`.
import Type from 'typebox'
import { section, Whole } from './section.ts'

export const commerceShapes = {
  /** Members that every visitor may sign in as, and a checkout that takes no money. Not beside `auth.issuers`. */
  demo: Type.Boolean(),
}

export const commerceDefaults = { demo: false }

/** What an order costs besides its items. The FAQ should say the same. */
export const ShippingShape = section({
  feeYen: Whole,
  /** Shipping is free from this total of the items on; 0: always free. */
  freeFromYen: Whole,
})

export const shippingDefaults = { feeYen: 500, freeFromYen: 3000 }
