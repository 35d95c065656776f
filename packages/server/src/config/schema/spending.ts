// What a day may cost, what of it is an alarm, and how long the ledger has names. A part of `config.ts`.
import { Positive, section, Whole } from './section.ts'

export const spendingShapes = {
  /** What of the books is forgotten. */
  retention: section({
    /** After so many days the ledger's rows have a pseudonym in place of whose they are; 0: never. */
    ledgerNamesDays: Whole,
  }),
  /**
   * What all vendors' calls of a day may cost together, in micro-dollars, over all nodes; past it the built-in model answers.
   * 9007199254740991 (the largest whole number) is no ceiling.
   */
  budgets: section({
    /** Of everybody: shoppers, programs, and the shop's own summaries, probes and refreshed answers. */
    storeMicroUsdPerDay: Positive,
    /** Of all guests together. */
    guestsMicroUsdPerDay: Positive,
  }),
  /** What operators are alerted of. */
  alarms: section({
    /** A user who spends more than this in a day, in micro-dollars. */
    userMicroUsdPerDay: Positive,
  }),
}

export const spendingDefaults = {
  retention: { ledgerNamesDays: 100 },
  // For a small shop: $100 and $25 a day. An unlimited default would let a script spend without end on the first evening.
  budgets: { storeMicroUsdPerDay: 100_000_000, guestsMicroUsdPerDay: 25_000_000 },
  alarms: { userMicroUsdPerDay: 10_000_000 },
}
