// Reads the events of ConverseStream. The usage comes after the message's end, so the stream is read to its own end.
import { fieldsOf } from '#lib/collections/fields-of.ts'
import type { ModelAnomaly } from '#domain/model/model-part.ts'
import { AnswerState } from './answer-state.ts'
import type { AnswerReader } from './answer-state.ts'

export function converseReader(id: string, onAnomaly: (anomaly: ModelAnomaly) => void): AnswerReader {
  const state = new AnswerState(id, onAnomaly)
  return {
    read(event, out) {
      if (event.contentBlockDelta !== undefined) {
        const delta = fieldsOf(fieldsOf(event.contentBlockDelta).delta)
        if (delta.reasoningContent === undefined) state.text(delta.text, out)
        else state.reasoning(fieldsOf(delta.reasoningContent).text, out)
      } else if (event.messageStart !== undefined) {
        state.start(out)
      } else if (event.messageStop !== undefined) {
        state.start(out)
        state.stop(fieldsOf(event.messageStop).stopReason)
        state.complete()
      } else if (event.metadata !== undefined) {
        state.usage.see(fieldsOf(event.metadata).usage)
      }
    },
    isComplete: () => state.isComplete(),
    finish: () => state.finish(),
  }
}
