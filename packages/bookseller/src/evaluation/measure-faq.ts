// Measures which entries of the FAQ are recognised in phrasings whose entry is known.
import type { Language } from '@mangaassist/protocol'
import type { FaqIndex } from '../catalogue/faq-match.ts'
import { detectLanguage } from '../text/language.ts'

export interface MeasuredFaq {
  readonly languages: Readonly<Record<Language, FaqScore>>
  /** The most frequent first; `recognised` is undefined where no entry was. */
  readonly confusions: readonly FaqConfusion[]
}

export interface FaqScore {
  readonly asked: number
  readonly recognised: number
  readonly right: number
}

export interface FaqConfusion {
  readonly id: string
  readonly recognised: string | undefined
  readonly count: number
}

export function measureFaq(phrasings: ReadonlyMap<string, readonly string[]>, { match }: FaqIndex): MeasuredFaq {
  const found = [...phrasings].flatMap(([id, texts]) =>
    texts.map((text) => {
      const language = detectLanguage(text)
      return { id, language, recognised: match(text, language)?.entry.id }
    }),
  )
  const scoreOf = (language: Language): FaqScore => {
    const asked = found.filter((one) => one.language === language)
    return {
      asked: asked.length,
      recognised: asked.filter(({ recognised }) => recognised !== undefined).length,
      right: asked.filter(({ id, recognised }) => recognised === id).length,
    }
  }
  const confusions = new Map<string, FaqConfusion>()
  for (const { id, recognised } of found.filter((one) => one.recognised !== one.id)) {
    const key = `${id} ${recognised}`
    confusions.set(key, { id, recognised, count: (confusions.get(key)?.count ?? 0) + 1 })
  }
  return {
    languages: { ja: scoreOf('ja'), en: scoreOf('en') },
    confusions: [...confusions.values()].sort((a, b) => b.count - a.count),
  }
}
