// A row of the ledger, totals of rows, and the parts by which rows are grouped. Pure: every ledger whose store cannot add up
// rows itself uses this.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'
import type { PromptEstimate } from '../turn/log-records.ts'

export interface LedgerRow {
  readonly turnId: string
  /** 1 for the first model call of the turn, and so on; 0 for an answer that needed no model. */
  readonly attempt: number
  readonly principalId: string
  /** The principal's user tier at admission; absent in old rows, which did not store it. */
  readonly userTier?: string
  readonly sessionId: string
  /** What a request of an API key was booked under; absent for others. */
  readonly tag?: string
  /** The shop's day of admission, `YYYY-MM-DD`. */
  readonly day: string
  readonly at: number
  readonly model: string
  readonly tier: AnswerTier
  /** All tokens of the prompt, including those read from and written to the provider's prompt cache. */
  readonly inputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly outputTokens: number
  /** The provider reported no usable figures: these are our estimate. */
  readonly estimated: boolean
  /** The estimate of the prompt's tokens before it was sent. */
  readonly estimate?: PromptEstimate
  /** The version of our system prompt that was sent. */
  readonly prompt?: string
  readonly costMicroUsd: number
  /** How the attempt ended: a finish reason, or the class of the model's error. */
  readonly outcome: FinishReason | string
  /** The turn used more than was reserved for it. */
  readonly overage?: true
  /** The epoch of an owner that lost the turn: it booked this call and charged it beside the turn (`book-lost-calls.ts`). */
  readonly lostOwner?: number
}

/** The id under which a row's use is charged: that of its turn, or that of the owner which charged it beside the turn. */
export function chargeIdOf({ lostOwner, turnId }: Pick<LedgerRow, 'lostOwner' | 'turnId'>): string {
  return lostOwner === undefined ? turnId : `${turnId}:${lostOwner}`
}

/** The position of a row: rows are ordered by these fields. */
export type RowPosition = Pick<LedgerRow, 'day' | 'at' | 'turnId' | 'attempt'>

export interface LedgerTotals {
  readonly rows: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  readonly costMicroUsd: number
  /** How many of the rows have estimated figures. */
  readonly estimatedRows: number
  /** How many of the rows belong to turns that used more than was reserved. */
  readonly overageRows: number
}

export interface LedgerFilter {
  readonly principalId?: string
  readonly sessionId?: string
  readonly model?: string
  readonly tier?: string
  readonly outcome?: string
  readonly tag?: string
  readonly day?: string
  /** The first and the last day, both included. */
  readonly from?: string
  readonly to?: string
}

export const KEY_PREFIX = 'key:'

/** The parts by which rows can be grouped, with the value of a row for each. Rows without a value are a group, too: the empty one. */
export const LEDGER_PARTS = {
  day: ({ day }) => day,
  user: ({ principalId }) => principalId,
  /** API keys; everyone else is one group. */
  key: ({ principalId }) => (principalId.startsWith(KEY_PREFIX) ? principalId : ''),
  session: ({ sessionId }) => sessionId,
  model: ({ model }) => model,
  tier: ({ tier }) => tier,
  outcome: ({ outcome }) => outcome,
  tag: ({ tag }) => tag ?? '',
} as const satisfies Readonly<Record<string, (row: LedgerRow) => string>>
export type LedgerPart = keyof typeof LEDGER_PARTS

export interface LedgerGroup {
  /** The values of the parts in `by`, in the same order. */
  readonly key: readonly string[]
  readonly totals: LedgerTotals
}

export interface GroupsAsked {
  readonly by: readonly LedgerPart[]
  readonly limit: number
  /** The key of the last group of the previous page. */
  readonly after?: readonly string[]
  /** Only groups that cost at least this. */
  readonly costMicroUsdMin?: number
}

export const NO_TOTALS: LedgerTotals = {
  rows: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
  estimatedRows: 0,
  overageRows: 0,
}

export function addRow(totals: LedgerTotals, row: LedgerRow): LedgerTotals {
  return {
    rows: totals.rows + 1,
    inputTokens: totals.inputTokens + row.inputTokens,
    cacheReadTokens: totals.cacheReadTokens + (row.cacheReadTokens ?? 0),
    cacheWriteTokens: totals.cacheWriteTokens + (row.cacheWriteTokens ?? 0),
    outputTokens: totals.outputTokens + row.outputTokens,
    costMicroUsd: totals.costMicroUsd + row.costMicroUsd,
    estimatedRows: totals.estimatedRows + (row.estimated ? 1 : 0),
    overageRows: totals.overageRows + (row.overage === true ? 1 : 0),
  }
}

export function matchesFilter(row: LedgerRow, filter: LedgerFilter): boolean {
  const { from = row.day, to = row.day } = filter
  return (
    (filter.principalId ?? row.principalId) === row.principalId &&
    (filter.sessionId ?? row.sessionId) === row.sessionId &&
    (filter.model ?? row.model) === row.model &&
    (filter.tier ?? row.tier) === row.tier &&
    (filter.outcome ?? row.outcome) === row.outcome &&
    (filter.tag ?? row.tag) === row.tag &&
    (filter.day ?? row.day) === row.day &&
    from <= row.day &&
    row.day <= to
  )
}

/** Bounds the memory of one query. */
const GROUPS_MAX = 200_000

/** Adds up rows by the requested parts. */
export class GroupedTotals {
  readonly #asked: GroupsAsked
  readonly #groups = new Map<string, LedgerGroup>()

  constructor(asked: GroupsAsked) {
    this.#asked = asked
  }

  add(row: LedgerRow): void {
    const key = this.#asked.by.map((part) => LEDGER_PARTS[part](row))
    const name = JSON.stringify(key)
    const totals = addRow(this.#groups.get(name)?.totals ?? NO_TOTALS, row)
    this.#groups.set(name, { key, totals })
    if (this.#groups.size > GROUPS_MAX) throw new RangeError('too many groups for one question: ask for fewer days')
  }

  /** The requested page, in the order of the keys. */
  page(): readonly LedgerGroup[] {
    const { after, costMicroUsdMin = 0, limit } = this.#asked
    return [...this.#groups.values()]
      .filter(({ key, totals }) => totals.costMicroUsd >= costMicroUsdMin && (!after || compareLists(key, after) > 0))
      .toSorted((a, b) => compareLists(a.key, b.key))
      .slice(0, limit)
  }
}

export function comparePositions(a: RowPosition, b: RowPosition): number {
  return compareLists([a.day, a.at, a.turnId, a.attempt], [b.day, b.at, b.turnId, b.attempt])
}

function compareLists(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index]
    if (other === undefined || value > other) return 1
    if (value < other) return -1
  }
  return 0
}

/** The relative error of the prompt's estimate; undefined when the provider reported no usage. */
export function estimateErrorOf({ estimate, estimated, inputTokens }: LedgerRow): number | undefined {
  if (estimate === undefined || estimated || inputTokens === 0) return undefined
  return estimate.total / inputTokens - 1
}
