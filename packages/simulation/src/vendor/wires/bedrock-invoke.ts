// InvokeModel and InvokeModelWithResponseStream: Anthropic's message events, base64 inside `chunk` events.
import { usageObject } from '../usage.ts'
import { bedrockException } from '../vendor-errors.ts'
import { EVENT_STREAM, eventFrame, exceptionFrame, withWrongChecksum } from './event-frame.ts'
import type { Ending, WireReply, Stop, Wire } from './wire.ts'

const names = {
  input: 'input_tokens',
  output: 'output_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_creation_input_tokens',
}
const stopReasons: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  length: 'max_tokens',
  'tool-use': 'tool_use',
  guardrail: 'end_turn',
  'content-filter': 'refusal',
}
const TOOL = { type: 'tool_use', id: 'toolu_sim_1', name: 'check_stock', input: {} }

export function bedrockInvoke(reply: WireReply): Wire {
  const usage = (counts: { input?: number; output?: number }) => {
    const reported = usageObject(reply.usage, names, counts)
    return reported === undefined ? {} : { usage: reported }
  }
  const message = { id: reply.id, type: 'message', role: 'assistant', model: reply.model }
  return {
    contentType: EVENT_STREAM,
    start: () =>
      Buffer.concat([
        chunk({
          type: 'message_start',
          message: {
            ...message,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            ...usage({ input: reply.promptTokens, output: 1 }),
          },
        }),
        chunk({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ]),
    delta: (text) => chunk({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    reasoning: (text) =>
      chunk({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: text } }),
    toolCall: () =>
      Buffer.concat([
        chunk({ type: 'content_block_start', index: 1, content_block: TOOL }),
        chunk({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } }),
        chunk({ type: 'content_block_stop', index: 1 }),
      ]),
    end: ({ stop, outputTokens }) => [
      chunk({ type: 'content_block_stop', index: 0 }),
      chunk({
        type: 'message_delta',
        delta: { stop_reason: stopReasons[stop], stop_sequence: null },
        ...usage({ output: outputTokens }),
      }),
      chunk({ type: 'message_stop', ...guardrail(stop), ...metrics(reply, outputTokens) }),
    ],
    exception: (error) => exceptionFrame(bedrockException(error)),
    malformed: (how) =>
      how === 'crc'
        ? withWrongChecksum(chunk({ type: 'ping' }))
        : eventFrame('chunk', { bytes: Buffer.from('{"type":').toString('base64') }),
    unknown: () => chunk({ type: 'content_block_shimmer', index: 0 }),
    whole: (text, ending) => ({
      ...message,
      content: contentOf(text, ending),
      stop_reason: stopReasons[ending.stop],
      stop_sequence: null,
      ...usage({ input: reply.promptTokens, output: ending.outputTokens }),
      ...guardrail(ending.stop),
    }),
  }
}

function contentOf(text: string, { stop }: Ending): readonly unknown[] {
  return [{ type: 'text', text }, ...(stop === 'tool-use' ? [TOOL] : [])]
}

function guardrail(stop: Stop): Record<string, string> {
  return stop === 'guardrail' ? { 'amazon-bedrock-guardrailAction': 'INTERVENED' } : {}
}

// Bedrock's own count beside Anthropic's. Omitted when a usage fault is active, since a reader could use it instead.
function metrics(reply: WireReply, outputTokenCount: number): Record<string, unknown> {
  if (reply.usage.shape !== undefined) return {}
  return { 'amazon-bedrock-invocationMetrics': { inputTokenCount: reply.promptTokens, outputTokenCount } }
}

function chunk(event: Record<string, unknown>): Buffer {
  return eventFrame('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') })
}
