// Yields the events of a streamed response in order, until `[DONE]` or the end of the body.
import type { IncomingMessage } from 'node:http'
import { SseReader } from './sse.ts'

export const DONE = '[DONE]'

/** `sample` also gets a truncated last event, which is otherwise dropped. */
export async function* eventsIn(
  response: IncomingMessage,
  sample: { see(event: unknown): void } | undefined,
): AsyncGenerator<string> {
  const sse = new SseReader()
  const events: string[] = []
  response.setEncoding('utf8')
  try {
    for await (const text of response.iterator({ destroyOnReturn: false })) {
      sse.read(text as string, events)
      for (const event of events) {
        yield event
        if (event === DONE) return
      }
      events.length = 0
    }
    // A last event may lack its blank line.
    sse.end(events)
    for (const event of events) {
      if (event === DONE || isJson(event)) yield event
      else sample?.see(event)
    }
  } finally {
    // The rest of the body is discarded, so that the connection can serve the next call.
    response.resume()
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
