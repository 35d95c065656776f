// The wire of each api: how its reply is built and which vendor's errors it sends. A new api does not compile without its row.
import type { Api } from '../call.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { bedrockInvoke } from './bedrock-invoke.ts'
import { EVENT_STREAM } from './event-frame.ts'
import { openaiChat, SERVER_SENT_EVENTS } from './openai-chat.ts'
import type { Wire, WireReply } from './wire.ts'

interface ApiWire {
  readonly make: (reply: WireReply) => Wire
  readonly contentType: string
  readonly idPrefix: string
}

const JSON_TYPE = 'application/json'
const OPENAI = { make: openaiChat, idPrefix: 'chatcmpl' } as const
const CONVERSE = { make: bedrockConverse, idPrefix: 'msg' } as const
const INVOKE = { make: bedrockInvoke, idPrefix: 'msg' } as const

export const WIRES: Readonly<Record<Api, ApiWire>> = {
  invoke: { ...INVOKE, contentType: JSON_TYPE },
  'invoke-stream': { ...INVOKE, contentType: EVENT_STREAM },
  converse: { ...CONVERSE, contentType: JSON_TYPE },
  'converse-stream': { ...CONVERSE, contentType: EVENT_STREAM },
  'count-tokens': { ...INVOKE, contentType: JSON_TYPE },
  chat: { ...OPENAI, contentType: JSON_TYPE },
  'embed-titan': { ...INVOKE, contentType: JSON_TYPE },
  'embed-cohere': { ...INVOKE, contentType: JSON_TYPE },
  embeddings: { ...OPENAI, contentType: JSON_TYPE },
  'chat-stream': { ...OPENAI, contentType: SERVER_SENT_EVENTS },
}
