// Checks what a model's answer claims against the store, once its text is complete, and words the correction. The products
// of the grounding are known; those that the answer names besides are looked up, within a bounded time.
import { checkAnswer } from '@mangaassist/bookseller/grounding-check/check'
import type { CheckedAnswer, Mismatch } from '@mangaassist/bookseller/grounding-check/check'
import { correctionNote } from '@mangaassist/bookseller/grounding-check/note'
import { titleTable } from '@mangaassist/bookseller/grounding-check/title-table'
import type { TitleTable } from '@mangaassist/bookseller/grounding-check/title-table'
import { quotedIn } from '@mangaassist/bookseller/grounding-check/titles-in'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'
import type { AnswerMismatch } from '#domain/turn/log-records.ts'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import { eachProduct } from '#ports/product-store/each-product.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Routed } from '../turn.ts'

interface MadeText {
  readonly text: string
  readonly tier: AnswerTier
  readonly model: string
  readonly finishReason: FinishReason
}

interface AnswerCheck {
  readonly mismatches: readonly AnswerMismatch[]
  /** To be added to the end of the answer; absent when there is nothing to correct, or the shopper stopped the answer. */
  readonly note?: string
}

/** Never rejects. */
export type CheckAnswer = (routed: Routed, made: MadeText) => Promise<AnswerCheck>

const LOOKUP_MS = 50
const QUOTED_MAX = 40
const UNCHECKED: AnswerCheck = { mismatches: [] }

export function createCheckAnswer({
  clock,
  products,
}: {
  readonly clock: Clock
  readonly products: ProductStore
}): CheckAnswer {
  let known: { readonly version: number; readonly table: Promise<TitleTable> } | undefined

  async function currentTable(): Promise<TitleTable> {
    const version = (await products.edition())?.version ?? 0
    if (known?.version !== version) {
      const table = titleTable(eachProduct(products))
      known = { version, table }
      // A failed build is not stored: the next answer tries again.
      table.catch(() => (known = undefined))
    }
    return known.table
  }

  /** The products that the answer has in quotation marks; undefined when they could not be read in time. */
  async function namedIn(text: string): Promise<readonly Product[] | undefined> {
    const quoted = quotedIn(text)
    if (quoted.length === 0) return []
    try {
      const found = await withDeadline(clock, { ms: LOOKUP_MS, signal: NEVER }, async () => {
        const table = await currentTable()
        return products.byIds([...new Set(quoted.slice(0, QUOTED_MAX).flatMap(table.idsOf))])
      })
      return found === LATE || quoted.length > QUOTED_MAX ? undefined : found
    } catch {
      // The answer is checked against the products that it was given.
      return undefined
    }
  }

  return async function check(routed, made) {
    const { grounding, policy, scope, start } = routed
    if (!policy.isGrounded || !isFromVendor(made.tier)) return UNCHECKED
    const text = made.finishReason === 'stop' ? made.text : wholeSentences(made.text)
    const named = await namedIn(text)
    const checked = checkAnswer({
      text,
      products: distinct([...grounding.products, ...grounding.liked, ...(named ?? [])]),
      question: start.message,
      faq: grounding.faq.map(({ answer }) => answer[start.language]),
      isComplete: named !== undefined,
    })
    report(scope, { turnId: start.turnId, model: made.model }, checked)
    const mismatches = checked.mismatches.map(asRecord)
    const note = isStopped(made.finishReason) ? undefined : correctionNote(checked.mismatches, start.language)
    return { mismatches, ...(note === undefined ? {} : { note: `\n\n${note}` }) }
  }
}

/** The built-in responder states only what the store has. */
const isFromVendor = (tier: AnswerTier): boolean => tier === 'primary' || tier === 'economy'

/** Nothing may follow an answer that the shopper or a filter stopped. */
const isStopped = (finishReason: FinishReason): boolean => finishReason === 'stopped' || finishReason === 'blocked'

/** A text that broke off may end within a number. */
function wholeSentences(text: string): string {
  return /^[^]*(?:[。！？!?\n]|\.(?=\s))/u.exec(text)?.[0] ?? ''
}

function distinct(products: readonly Product[]): readonly Product[] {
  return [...new Map(products.map((product) => [product.id, product])).values()]
}

/** By id: the text of an answer is stored once, as the answer. */
function asRecord(mismatch: Mismatch): AnswerMismatch {
  return mismatch.kind === 'title' ? { kind: 'title' } : { kind: mismatch.kind, productId: mismatch.product.id }
}

function report(
  telemetry: Routed['scope'],
  { model, turnId }: { readonly model: string; readonly turnId: string },
  { claims, mismatches }: CheckedAnswer,
): void {
  for (const { kind, verdict } of claims) telemetry.count('answer_statements_total', { kind, outcome: verdict })
  for (const { kind } of mismatches) telemetry.count('answer_mismatches_total', { kind })
  if (mismatches.length === 0) return
  const kinds = [...new Set(mismatches.map(({ kind }) => kind))].join(' ')
  const productIds = mismatches.flatMap((one) => (one.kind === 'title' ? [] : [one.product.id])).join(' ')
  telemetry.log('warn', 'answer.mismatch', { turnId, modelId: model, kinds, productIds })
}
