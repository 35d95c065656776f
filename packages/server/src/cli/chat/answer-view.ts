// How an answer is printed: as a stream of text for people, or as one line of JSON for programs.
import type { ChatPart } from '@mangaassist/client'
import type { DoneFrame, ProductCard } from '@mangaassist/protocol'
import type { Terminal } from '../command.ts'

export interface Answer {
  readonly sessionId: string
  readonly text: string
  readonly products: readonly ProductCard[]
  readonly done: DoneFrame
  /** Length and hash are those that the server sent. */
  readonly verified: boolean
}

export interface AnswerView {
  /** A part has arrived. */
  part(part: ChatPart): void
  /** The answer is complete. */
  end(answer: Answer): void
}

export function jsonView({ stdout }: Terminal): AnswerView {
  return {
    part() {},
    end: (answer) => void stdout.write(`${JSON.stringify(answer)}\n`),
  }
}

export function textView({ stdout, stderr }: Terminal): AnswerView {
  return {
    part(part) {
      if (part.type === 'text') stdout.write(part.text)
      if (part.type === 'queued')
        stderr.write(`(queue position ${part.position}, about ${Math.ceil(part.etaMs / 1000)} s)\n`)
    },
    end({ products, done }) {
      const ending = done.finishReason === 'stop' ? '' : ` (${done.finishReason})`
      stdout.write(`${ending}\n${products.map(productLine).join('')}`)
    },
  }
}

function productLine({ title, pricePerVolumeYen, volumes, stock }: ProductCard): string {
  const shelf = stock > 0 ? `在庫 / in stock: ${stock}` : '在庫なし / out of stock'
  return `  • ${title.ja} / ${title.en} — ¥${pricePerVolumeYen} × ${volumes}, ${shelf}\n`
}
