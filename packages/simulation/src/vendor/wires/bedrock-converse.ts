// Converse and ConverseStream: Bedrock's own events, in plain JSON.
import { usageObject } from '../usage.ts'
import { bedrockException } from '../vendor-errors.ts'
import { EVENT_STREAM, eventFrame, exceptionFrame, garbledFrame, withWrongChecksum } from './event-frame.ts'
import type { WireReply, Stop, Wire } from './wire.ts'

const names = {
  input: 'inputTokens',
  output: 'outputTokens',
  total: 'totalTokens',
  cacheRead: 'cacheReadInputTokens',
  cacheWrite: 'cacheWriteInputTokens',
}
const stopReasons: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  length: 'max_tokens',
  'tool-use': 'tool_use',
  guardrail: 'guardrail_intervened',
  'content-filter': 'content_filtered',
}
const TOOL = { toolUseId: 'tooluse_sim_1', name: 'check_stock' }
const LATENCY = { metrics: { latencyMs: 1 } }

export function bedrockConverse(reply: WireReply): Wire {
  const usage = (outputTokens: number) => {
    const counts = usageObject(reply.usage, names, { input: reply.promptTokens, output: outputTokens })
    return counts === undefined ? {} : { usage: counts }
  }
  return {
    contentType: EVENT_STREAM,
    start: () => eventFrame('messageStart', { role: 'assistant' }),
    delta: (text) => eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }),
    reasoning: (text) =>
      eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text } } }),
    toolCall: () =>
      Buffer.concat([
        eventFrame('contentBlockStart', { contentBlockIndex: 1, start: { toolUse: TOOL } }),
        eventFrame('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{}' } } }),
        eventFrame('contentBlockStop', { contentBlockIndex: 1 }),
      ]),
    end: ({ stop, outputTokens }) => [
      eventFrame('contentBlockStop', { contentBlockIndex: 0 }),
      eventFrame('messageStop', { stopReason: stopReasons[stop] }),
      eventFrame('metadata', { ...usage(outputTokens), ...LATENCY }),
    ],
    exception: (error) => exceptionFrame(bedrockException(error)),
    malformed: (how) =>
      how === 'crc'
        ? withWrongChecksum(eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: '' } }))
        : garbledFrame('contentBlockDelta'),
    unknown: () => eventFrame('contentBlockShimmer', { contentBlockIndex: 0 }),
    whole: (text, { stop, outputTokens }) => ({
      output: {
        message: {
          role: 'assistant',
          content: [{ text }, ...(stop === 'tool-use' ? [{ toolUse: { ...TOOL, input: {} } }] : [])],
        },
      },
      stopReason: stopReasons[stop],
      ...usage(outputTokens),
      ...LATENCY,
    }),
  }
}
