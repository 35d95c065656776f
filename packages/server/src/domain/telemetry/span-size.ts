// The estimated size of a span in memory and on the wire. An estimate is enough: it keeps huge spans from filling the memory,
// and serialising each span to measure it would cost more than sending it.

export interface SizedSpan {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
  readonly links: readonly unknown[]
  readonly content?: {
    readonly system: string
    readonly input: readonly { readonly text: string }[]
    readonly output: string
  }
}

/** Ids, times, status, and the object itself. */
const SPAN_BYTES = 256
const ATTRIBUTE_BYTES = 32
const EVENT_BYTES = 64
const LINK_BYTES = 64
/** Japanese text takes three bytes a character in UTF-8. */
const BYTES_PER_CHARACTER = 3

export function spanSize({ attributes, content, events, links, name }: SizedSpan): number {
  let size = SPAN_BYTES + name.length + sizeOf(attributes) + links.length * LINK_BYTES
  for (const event of events) size += EVENT_BYTES + event.name.length + sizeOf(event.attributes)
  if (content === undefined) return size
  const words = content.input.reduce((length, { text }) => length + text.length, 0)
  return size + (content.system.length + words + content.output.length) * BYTES_PER_CHARACTER
}

function sizeOf(attributes: Readonly<Record<string, unknown>>): number {
  let size = 0
  for (const name in attributes) {
    const value = attributes[name]
    size += ATTRIBUTE_BYTES + (typeof value === 'string' ? value.length : 0)
  }
  return size
}
