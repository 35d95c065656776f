// The text of an answer for the clipboard: its words without marks, and the titles of its cards with their addresses. Pure.
import type { Language } from '@mangaassist/protocol'
import type { Exchange } from '../conversation/exchange.ts'
import { plainText } from '../markdown/markdown-source.ts'

export function copiedText(
  { text, products }: Pick<Exchange, 'text' | 'products'>,
  language: Language,
  addressOf: (url: string) => string | undefined,
): string {
  // Line by line, because the text for a screen reader has no lines.
  const words = text
    .split('\n')
    .map((line) =>
      /^\s{0,3}[-*+]\s/.test(line) ? `${language === 'ja' ? '・' : '- '}${plainText(line)}` : plainText(line),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const titles = products.map(({ title, url }) => [title[language], addressOf(url)].filter(Boolean).join(' '))
  return [words, titles.join('\n')].filter((part) => part !== '').join('\n\n')
}
