// A marker in a question, by which its model calls and its answer are recognised.

const MARKER = /\[ask ([a-z0-9-]+)\]/

export function marked(question: string, marker: string): string {
  return `${question} [ask ${marker}]`
}

export function markerIn(text: string): string | undefined {
  return MARKER.exec(text)?.[1]
}
