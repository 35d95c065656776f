// The words of pages of a list.
import type { Words } from '../../i18n.ts'

export const pagerWords = {
  pages: { ja: 'ページ', en: 'Pages' },
  firstPage: { ja: '最初のページ', en: 'First page' },
  nextPage: { ja: '次のページ', en: 'Next page' },
} as const satisfies Words
