// `mangaassist usage reconcile`: compares our ledger with a provider's figures.
import { readFile } from 'node:fs/promises'
import { BillError, readBill } from '#domain/ledger/provider-bill.ts'
import type { BookVerdict } from '#domain/ledger/reconcile.ts'
import { reconcileBill } from '#domain/ledger/reconcile-bill.ts'
import type { BillAsked, BookedUse, Reconciled } from '#domain/ledger/reconcile-bill.ts'
import { CommandError } from '../command.ts'
import { table, thousands, usd } from './print.ts'

export async function reconcileWith(
  booked: BookedUse,
  { file, ...asked }: Omit<BillAsked, 'bill'> & { readonly file: string },
): Promise<Reconciled> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  try {
    return await reconcileBill(booked, { ...asked, bill: readBill(file, text) })
  } catch (error) {
    throw error instanceof BillError ? new CommandError(error.message, { cause: error }) : error
  }
}

const WORDS: Readonly<Record<BookVerdict, string>> = {
  agrees: 'agrees',
  differs: 'DIFFERS',
  'missing-in-ledger': 'MISSING IN OUR LEDGER',
  'missing-at-provider': 'MISSING AT THE PROVIDER',
  'zero-in-ledger': 'ZERO IN OUR LEDGER',
  'zero-at-provider': 'ZERO AT THE PROVIDER',
}

export function describeReconciled({ agrees, comparisons }: Reconciled, tolerance: number): string {
  const rows = comparisons.flatMap(({ day, figures, model, verdict }) =>
    figures.map(({ figure, ledger, off, provider }, index) => {
      const show = figure === 'costMicroUsd' ? usd : thousands
      const percent = off === undefined ? '–' : `${off > 0 ? '+' : ''}${(off * 100).toFixed(2)} %`
      const head = index === 0 ? [day, model, WORDS[verdict]] : ['', '', '']
      return [...head, figure === 'costMicroUsd' ? 'USD' : figure, show(ledger), show(provider), percent]
    }),
  )
  const wrong = comparisons.filter(({ verdict }) => verdict !== 'agrees').length
  const within = `within ${(tolerance * 100).toFixed(2).replace(/\.?0+$/, '')} %`
  const summary = agrees
    ? `The ledger agrees with the provider ${within}.`
    : `The ledger DISAGREES with the provider: ${wrong} of ${comparisons.length} days and models are not ${within}.`
  return `${table(['day', 'model', 'verdict', 'figure', 'ledger', 'provider', 'off'], rows, 4)}\n\n${summary}`
}
