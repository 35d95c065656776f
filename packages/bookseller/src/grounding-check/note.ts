// The correction at the end of an answer whose claims the store contradicts: the store's own values, in a sentence or two.
import type { Language } from '@mangaassist/protocol'
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import type { Mismatch, MismatchKind } from './check.ts'

/** More corrections than this would be longer than the answer: the cards show the rest. */
const SERIES_MAX = 3
const TITLE_LENGTH_MAX = 80

/** Undefined when there is nothing to correct. */
export function correctionNote(mismatches: readonly Mismatch[], language: Language): string | undefined {
  const byProduct = new Map<Product, Set<MismatchKind>>()
  const unknown: string[] = []
  for (const mismatch of mismatches) {
    if (mismatch.kind === 'title') unknown.push(mismatch.name)
    else byProduct.set(mismatch.product, (byProduct.get(mismatch.product) ?? new Set()).add(mismatch.kind))
  }
  const lines = [
    ...[...byProduct].map(([product, kinds]) => WORDS[language].facts(product, kinds)),
    ...unknown.map((name) => WORDS[language].unknown(readableTitle(name))),
  ].slice(0, SERIES_MAX)
  return lines.length === 0 ? undefined : WORDS[language].note(lines)
}

interface Words {
  readonly note: (lines: readonly string[]) => string
  readonly facts: (product: Product, kinds: ReadonlySet<MismatchKind>) => string
  readonly unknown: (name: string) => string
}

const yen = (amount: number): string => amount.toLocaleString('en-US')

const STATUS_JA = { completed: '完結済み', running: '連載中', hiatus: '休載中' } as const
const STATUS_EN = { completed: 'completed', running: 'ongoing', hiatus: 'on hiatus' } as const

const WORDS: Readonly<Record<Language, Words>> = {
  ja: {
    note: (lines) => `※訂正：${lines.join('')}`,
    facts(product, kinds) {
      const { pricePerVolumeYen, status, stock, title, volumes } = product
      const facts = [
        ...(kinds.has('price') ? [`1巻${yen(pricePerVolumeYen)}円（全巻で${yen(totalYen(product))}円）`] : []),
        ...(kinds.has('price') || kinds.has('volumes') ? [`当店の取り扱いは${volumes}巻`] : []),
        ...(kinds.has('status') && status !== undefined ? [STATUS_JA[status]] : []),
        ...(kinds.has('stock') ? [stock === 0 ? '在庫切れ' : `在庫は${stock}点`] : []),
      ]
      return `『${readableTitle(title.ja)}』は、正しくは${facts.join('、')}です。`
    },
    unknown: (name) => `『${name}』は当店の商品一覧に見当たりませんでした。`,
  },
  en: {
    note: (lines) => `Note: ${lines.join(' ')}`,
    facts(product, kinds) {
      const { pricePerVolumeYen, status, stock, title, volumes } = product
      const facts = [
        ...(kinds.has('price') ? [`¥${yen(pricePerVolumeYen)} a volume (¥${yen(totalYen(product))} in all)`] : []),
        ...(kinds.has('price') || kinds.has('volumes')
          ? [`${volumes} ${volumes === 1 ? 'volume' : 'volumes'} here`]
          : []),
        ...(kinds.has('status') && status !== undefined ? [STATUS_EN[status]] : []),
        ...(kinds.has('stock') ? [stock === 0 ? 'out of stock' : `${stock} in stock`] : []),
      ]
      return `to correct myself, “${readableTitle(title.en)}” is ${facts.join(', ')}.`
    },
    unknown: (name) => `I could not find “${name}” in our catalogue.`,
  },
}

/** A title may contain anything that a catalogue or a model writes: no marks of Markdown or HTML, nothing invisible. */
function readableTitle(title: string): string {
  const text = title
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\s]+/gu, ' ')
    .replaceAll(/[<>[\]()`*_\\|#『』“”]/gu, '')
    .trim()
  return [...text].slice(0, TITLE_LENGTH_MAX).join('')
}
