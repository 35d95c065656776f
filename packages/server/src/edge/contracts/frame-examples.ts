// One exchange as an example of every frame, for the AsyncAPI document. A test checks each against its schema, and the text
// of the exchange for consistency.
import { PROTOCOL } from '@mangaassist/protocol'
import type { ClientFrame, ProductCard, QuotaView, ServerFrame } from '@mangaassist/protocol'

type Frame = ClientFrame | ServerFrame
export type FrameExamples = { readonly [Type in Frame['type']]: Extract<Frame, { type: Type }> }

const turnId = 'turn_01jd8m4v0q9w2x'
const sessionId = 'sess_01jd8m4tzr6k1n'
const requestId = 'r1'
const text = '『キングダム』はいかがでしょう。'

const quota: QuotaView = {
  tier: 'free',
  resetsAt: '2026-11-15T15:00:00.000Z',
  input: { used: 0, reserved: 0, limit: 100_000 },
  output: { used: 0, reserved: 0, limit: 50_000 },
  costMicroUsd: { used: 0, reserved: 0, limit: 1_000_000 },
  requestsPerMinute: { used: 1, reserved: 0, limit: 10 },
}

const product: ProductCard = {
  id: 'kingdom',
  title: { ja: 'キングダム', en: 'Kingdom' },
  author: '原泰久',
  volumes: 77,
  status: 'running',
  pricePerVolumeYen: 759,
  totalYen: 58_443,
  stock: 12,
  url: '/series/kingdom',
  genres: ['historical', 'war'],
}

export const frameExamples: FrameExamples = {
  chat: {
    type: 'chat',
    requestId,
    message: '壮大な歴史ものはありますか？',
    interfaceLanguage: 'ja',
    page: { productId: 'vagabond', path: '/series/vagabond' },
    idempotencyKey: '3b1f6c7e',
    attempt: 1,
    replaces: 'turn_01jd8m2k5d6e7f',
  },
  resume: { type: 'resume', turnId, offset: 9 },
  stop: { type: 'stop', turnId },
  watch: { type: 'watch', sessionId },
  ping: { type: 'ping' },
  ready: {
    type: 'ready',
    connectionId: 'conn_01jd8m4s7a2b3c',
    protocol: PROTOCOL,
    heartbeatMs: 5000,
    principal: { tier: 'free', quota },
  },
  accepted: { type: 'accepted', requestId, turnId, sessionId },
  queued: { type: 'queued', turnId, position: 3, etaMs: 4000 },
  meta: {
    type: 'meta',
    turnId,
    tier: 'embedded',
    model: 'embedded',
    degraded: false,
    confidence: 1,
    products: [product],
    suggestions: [{ label: '全巻でいくら？', message: '『キングダム』は全巻でいくらですか？' }],
    sources: [{ kind: 'product', id: 'kingdom', at: '2026-11-15T09:29:58.000Z' }],
    route: { first: 'embedded', rule: 'no-model', why: 'embedded: price, sure', complexity: 'simple' },
    quota,
  },
  chunk: { type: 'chunk', turnId, epoch: 1, seq: 2, offset: 0, text },
  heartbeat: { type: 'heartbeat', at: '2026-11-15T09:30:00.000Z' },
  backpressure: { type: 'backpressure', action: 'slow', retryAfterMs: 1200, message: '少し間をあけてお送りください。' },
  transferred: { type: 'transferred', sessionId },
  done: {
    type: 'done',
    turnId,
    finishReason: 'stop',
    length: text.length,
    sha256: '37dcb2a3fd59572e2c4fc9dc75bcb68126f2a38798a7af1d9675d50898f84fbb',
    usage: { inputTokens: 412, outputTokens: 14, estimated: true },
    costMicroUsd: 0,
    timings: { ttftMs: 38, totalMs: 52, tokensPerSecond: 269 },
    tier: 'embedded',
    model: 'embedded',
    sessionVersion: 1,
  },
  error: {
    type: 'error',
    requestId,
    code: 'SESSION_BUSY',
    message: '前のご質問にお答えしているところです。終わってからもう一度お送りください。',
    retryAfterMs: 1000,
  },
}
