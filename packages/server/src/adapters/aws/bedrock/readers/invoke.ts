// Reads the events of Anthropic's messages as InvokeModelWithResponseStream carries them.
import { fieldsOf } from '#lib/collections/fields-of.ts'
import { failureOf } from '#domain/model/model-failure.ts'
import { modelError } from '#domain/model/model-part.ts'
import type { ModelAnomaly } from '#domain/model/model-part.ts'
import { AnswerState } from './answer-state.ts'
import type { AnswerReader } from './answer-state.ts'

export function invokeReader(id: string, onAnomaly: (anomaly: ModelAnomaly) => void): AnswerReader {
  const state = new AnswerState(id, onAnomaly)
  return {
    read(event, out) {
      if (event['amazon-bedrock-guardrailAction'] === 'INTERVENED') state.intervene()
      switch (event.type) {
        case 'content_block_delta': {
          const { type, thinking, text } = fieldsOf(event.delta)
          const isReasoning = type === 'thinking_delta' || type === 'signature_delta'
          return isReasoning ? state.reasoning(thinking, out) : state.text(text, out)
        }
        case 'message_start': {
          state.start(out)
          state.usage.seeAtStart(fieldsOf(event.message).usage)
          // Reported at once, because the input of an aborted stream is still charged.
          const usage = state.knownUsage()
          if (usage !== undefined) out.push(usage)
          return
        }
        case 'message_delta':
          state.usage.see(event.usage)
          return state.stop(fieldsOf(event.delta).stop_reason)
        case 'message_stop':
          state.start(out)
          state.usage.see(event['amazon-bedrock-invocationMetrics'])
          return state.complete()
        case 'error': {
          const { type, message } = fieldsOf(event.error)
          out.push(modelError(failureOf({ status: 200, message: String(message ?? type), names: [type] })))
          return
        }
        case 'ping':
        case 'content_block_start':
        case 'content_block_stop':
          return
        default:
          return state.unknownEvent()
      }
    },
    isComplete: () => state.isComplete(),
    finish: () => state.finish(),
  }
}
