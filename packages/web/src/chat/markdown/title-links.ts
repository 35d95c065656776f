// Makes the titles in a finished answer links to their pages: the first mention of each, in the text as it stands. Nodes
// are only added around existing text, so that what is being read or selected stays.
import { linkRel } from './links.ts'

export interface TitleLink {
  /** All names under which the answer may mention it. */
  readonly names: readonly string[]
  readonly href: string
  readonly isExternal: boolean
}

interface Mention {
  readonly title: TitleLink
  readonly from: number
  readonly to: number
}

/** Shorter names are found inside other words. */
const nameLengthMin = 2
const wordLike = /[\p{Script=Latin}\p{N}]/u

export function linkTitles(root: HTMLElement, titles: readonly TitleLink[]): void {
  const waiting = new Set(titles)
  for (const node of textsIn(root)) {
    for (let rest: Text | undefined = node; rest !== undefined && waiting.size > 0;) {
      const mention = firstMention(rest.data, waiting)
      if (mention === undefined) break
      waiting.delete(mention.title)
      rest = wrap(rest, mention)
    }
  }
}

/** Collected before anything changes: a wrapped text would be visited again. */
function textsIn(root: HTMLElement): readonly Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode() !== null) {
    const text = walker.currentNode as Text
    if (text.parentElement?.closest('a, code, pre') === null) texts.push(text)
  }
  return texts
}

function wrap(text: Text, { title, from, to }: Mention): Text {
  const named = text.splitText(from)
  const rest = named.splitText(to - from)
  const link = document.createElement('a')
  link.href = title.href
  link.rel = linkRel
  if (title.isExternal) link.target = '_blank'
  named.replaceWith(link)
  link.append(named)
  return rest
}

/** The earliest, and of several at one place the longest. */
export function firstMention(text: string, titles: Iterable<TitleLink>): Mention | undefined {
  let best: Mention | undefined
  for (const title of titles)
    for (const name of title.names) {
      const from = placeOf(name, text)
      if (from === -1) continue
      const to = from + name.length
      if (best === undefined || from < best.from || (from === best.from && to > best.to)) best = { title, from, to }
    }
  return best
}

function placeOf(name: string, text: string): number {
  if (name.length < nameLengthMin) return -1
  for (let from = text.indexOf(name); from !== -1; from = text.indexOf(name, from + 1)) {
    const isInWord =
      (wordLike.test(name[0] ?? '') && wordLike.test(text[from - 1] ?? '')) ||
      (wordLike.test(name.at(-1) ?? '') && wordLike.test(text[from + name.length] ?? ''))
    if (!isInWord) return from
  }
  return -1
}
