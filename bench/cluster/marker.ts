// A marker in a question, by which its model calls and its answer are recognised. Every simulated model gives the same answer to it, so
// that an answer that another model or another node continued is known in every character too.
import { answerTo } from '../../packages/simulation/src/provider/answer-text.ts'

const MARKER = /\[ask ([a-z0-9-]+)\]/

export function marked(question: string, marker: string): string {
  return `${question} [ask ${marker}]`
}

export function markerIn(text: string): string | undefined {
  return MARKER.exec(text)?.[1]
}

export function answerOf(marker: string): string {
  return answerTo(marker, 'any').text
}
