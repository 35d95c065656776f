// OpenAI chat completions: server-sent events that end with `[DONE]`, or one JSON.
import { usageObject } from '../usage.ts'
import { openaiError } from '../vendor-errors.ts'
import type { Ending, WireReply, Stop, Wire } from './wire.ts'

export const SERVER_SENT_EVENTS = 'text/event-stream; charset=utf-8'

const names = { input: 'prompt_tokens', output: 'completion_tokens', total: 'total_tokens' }
const finishReasons: Readonly<Record<Stop, string>> = {
  end: 'stop',
  length: 'length',
  'tool-use': 'tool_calls',
  guardrail: 'content_filter',
  'content-filter': 'content_filter',
}
const TOOL = { id: 'call_sim_1', type: 'function', function: { name: 'check_stock', arguments: '{}' } }

export function openaiChat(reply: WireReply): Wire {
  const created = Math.floor(reply.createdAt / 1000)
  const head = { id: reply.id, object: 'chat.completion.chunk', created, model: reply.model }
  const piece = (delta: unknown, finishReason: string | null = null) =>
    event({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] })
  const usage = (outputTokens: number) => {
    const reported = usageObject(reply.usage, names, { input: reply.promptTokens, output: outputTokens })
    if (reported !== undefined && reply.usage.shape === 'cached')
      reported.prompt_tokens_details = { cached_tokens: Math.floor(reply.promptTokens / 2) }
    return reported
  }
  const usageEvent = (outputTokens: number) => {
    const reported = reply.includeUsage ? usage(outputTokens) : undefined
    return reported === undefined ? [] : [event({ ...head, choices: [], usage: reported })]
  }
  return {
    contentType: SERVER_SENT_EVENTS,
    start: () => piece({ role: 'assistant', content: '', refusal: null }),
    delta: (text) => piece({ content: text }),
    reasoning: (text) => piece({ reasoning_content: text }),
    toolCall: () => piece({ tool_calls: [{ index: 0, ...TOOL }] }),
    end: ({ stop, outputTokens }) => [
      piece({}, finishReasons[stop]),
      ...usageEvent(outputTokens),
      Buffer.from('data: [DONE]\n\n'),
    ],
    exception: (error) => event(openaiError(error)),
    malformed: () => Buffer.from('data: {"id":\n\n'),
    unknown: () => Buffer.from(`: a comment\nevent: shimmer\ndata: {"object":"chat.completion.shimmer"}\n\n`),
    whole: (text, ending) => {
      const reported = usage(ending.outputTokens)
      const choice = {
        index: 0,
        message: messageOf(text, ending),
        logprobs: null,
        finish_reason: finishReasons[ending.stop],
      }
      return {
        ...head,
        object: 'chat.completion',
        choices: [choice],
        ...(reported === undefined ? {} : { usage: reported }),
      }
    },
  }
}

function messageOf(text: string, { stop }: Ending): Record<string, unknown> {
  return { role: 'assistant', content: text, refusal: null, ...(stop === 'tool-use' ? { tool_calls: [TOOL] } : {}) }
}

function event(data: unknown): Buffer {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`)
}
