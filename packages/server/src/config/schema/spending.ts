// Ceilings for the cost of a day, alarms, and how long data of persons are stored. A part of `config.ts`.
import { alarmsDefaults, alarmsShapes } from './alarms.ts'
import { Positive, section, Whole } from './section.ts'

export const spendingShapes = {
  /** How long personal data in the ledger, turn records, carts and orders are stored. */
  retention: section({
    /** After so many days a pseudonym replaces the user's id in the rows of the ledger; 0: never. */
    ledgerNamesDays: Whole,
    /** So many days a turn's record is stored. */
    turnRecordsDays: Positive,
    /** Above this number of turn records the oldest are removed. */
    turnRecordsMax: Positive,
    /** Above this number of records of refused requests the oldest are removed. */
    refusalsMax: Positive,
    /** So many days a cart is stored after its last change. */
    cartsDays: Positive,
    /** So many days an order of the demo order book is stored. */
    ordersDays: Positive,
  }),
  /**
   * Ceilings for the cost of all vendors' calls in a day, in micro-dollars, over all nodes; above it the built-in
   * responder answers. 9007199254740991 (the largest whole number) means no ceiling.
   */
  budgets: section({
    /** Shoppers, programs and house calls together. */
    storeMicroUsdPerDay: Positive,
    /** All guests together. */
    guestsMicroUsdPerDay: Positive,
  }),
  ...alarmsShapes,
}

export const spendingDefaults = {
  retention: {
    ledgerNamesDays: 100,
    turnRecordsDays: 30,
    turnRecordsMax: 100_000,
    refusalsMax: 20_000,
    cartsDays: 90,
    ordersDays: 400,
  },
  // For a small shop: $100 and $25 a day. Without a default, a script could spend without limit on the first evening.
  budgets: { storeMicroUsdPerDay: 100_000_000, guestsMicroUsdPerDay: 25_000_000 },
  ...alarmsDefaults,
}
