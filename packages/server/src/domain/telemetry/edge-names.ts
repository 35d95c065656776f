// Metrics and events of the doors: HTTP requests, WebSockets, the readers of answers, and the identity of callers.
import { errorCatalogue } from '@mangaassist/protocol'
import type { ErrorCode } from '@mangaassist/protocol'
import { counter, event, gauge, histogram } from './entry.ts'
import * as bounds from './label-bounds.ts'

const { CLOSE_CODE, DOOR, FRAME_BYTES, ISSUER, LIMIT_SCOPE, ROUTE, STATUS, TEXT_CHARACTERS, TURN_SECONDS } = bounds
const ERROR_CODES = Object.keys(errorCatalogue) as ErrorCode[]

export const edgeMetrics = {
  http_requests_total: {
    ...counter('HTTP requests that were answered, by route and status.', { route: ROUTE, status: STATUS }),
    // A route sends a handful of statuses.
    seriesMax: 400,
  },
  http_request_seconds: {
    ...histogram(
      'Time of HTTP requests until their response was sent, by route and class of status; a stream lasts until its end.',
      TURN_SECONDS,
      { route: ROUTE, status_class: ['1xx', '2xx', '3xx', '4xx', '5xx'] },
    ),
    // A route sends two or three classes.
    seriesMax: 250,
  },
  http_connections: gauge('TCP connections that are open on this node, WebSockets included.', 'count'),
  limit_refused_total: {
    ...counter('Requests that a limit refused, by error code and by the limit that was reached.', {
      code: ['QUOTA_EXCEEDED', 'RATE_LIMITED', 'QUEUE_FULL'],
      scope: LIMIT_SCOPE,
    }),
    seriesMax: 60,
  },
  http_connection_dropped_total: counter(
    'TCP connections that were closed unread: their address has too many or exceeded its rate, or the server has too many.',
    { reason: ['server-limit', 'address-limit'] },
  ),
  request_refused_total: counter('Requests and frames that were answered with an error, by error code.', {
    code: ERROR_CODES,
  }),
  request_rate_limited_total: counter(
    'Requests that the rate of their address or connection refused; `http-pipelined`: too many on one connection without waiting.',
    { door: ['http', 'ws', 'http-pipelined'] },
  ),
  request_blocked_total: counter(
    'Requests, frames and connections that were refused because an operator has blocked their address or their sender.',
    { by: ['address', 'principal'] },
  ),
  websocket_connections: gauge('WebSocket connections that are open on this node.', 'count'),
  websocket_opened_total: counter('WebSocket connections that were accepted.'),
  websocket_closed_total: counter(
    'WebSocket connections that ended, by close code: the server’s where the server closed, also of connections that were refused at once.',
    { code: CLOSE_CODE },
  ),
  websocket_cut_total: counter('WebSocket connections that the server closed because of what the client sent.', {
    reason: ['too-many-frames', 'too-many-invalid-frames'],
  }),
  reader_resumed_total: counter('Readers that continued an answer where they had stopped, after a reconnect.', {
    door: DOOR,
  }),
  reader_paused_total: counter('Pauses of a connection whose client reads more slowly than the answer is written.', {
    door: DOOR,
  }),
  reader_pause_seconds: histogram(
    'How long a connection was paused until its client had read what was buffered, left, or was closed.',
    TURN_SECONDS,
    { door: DOOR },
  ),
  reader_caught_up_total: counter('Paused connections whose client read what was buffered.', { door: DOOR }),
  reader_closed_total: counter(
    'Connections closed because their client does not read: no progress (`stalled`), or the buffer is full (`buffer-full`).',
    { door: DOOR, reason: ['stalled', 'buffer-full'] },
  ),
  reader_read_retried_total: counter('Reads of a turn log that failed and were repeated.'),
  reader_diverged_total: counter('Readers that hold text which the next owner of the turn wrote differently.'),
  reader_gap_total: counter('Readers that ended because text before their offset is missing in the turn log.'),
  reader_duplicate_characters: histogram(
    'Characters of a record that its reader had already, and that were left out.',
    TEXT_CHARACTERS,
  ),
  delivery_frame_bytes: histogram('Size of the frames that carry text, as sent.', FRAME_BYTES, { door: DOOR }),
  auth_tier_unknown_total: counter('Tokens whose tier is not configured; the default tier of the issuer was used.', {
    issuer: ISSUER,
  }),
  auth_guests_merged_total: counter('Guests who signed in and whose conversations now belong to their account.'),
  auth_key_fetch_total: counter('Downloads of the keys of a token issuer.', { outcome: ['ok', 'failed'] }),
} as const

export const edgeEvents = {
  'http.request': event(['debug', 'warn'], 'An HTTP request was answered; `warn` for a status from 500 on.', [
    'requestId',
    'method',
    'route',
    'status',
    'durationMs',
  ]),
  'request.refused': {
    ...event(
      'info',
      'A request or a frame was refused. `scope` is the limit that was reached; equal lines are summed.',
      ['requestId', 'connectionId', 'turnId', 'code', 'scope', 'reason', 'retryAfterMs'],
    ),
    isSummed: true,
  },
  'request.failed': event('error', 'A request ended with INTERNAL_ERROR; the cause is a defect or an unknown fault.', [
    'requestId',
    'connectionId',
    'turnId',
  ]),
  'completion.stop-failed': event('error', 'The client of a completion left, and its turn could not be stopped.', [
    'requestId',
    'turnId',
  ]),
  'websocket.failed': event('debug', 'A WebSocket connection failed, or its client broke the protocol.', [
    'connectionId',
  ]),
  'reader.follow-failed': event('warn', 'A connection cannot follow the turns of its session from other devices.', [
    'connectionId',
  ]),
  'network.address-unreadable': event(
    'warn',
    'X-Forwarded-For has no IP address: all such clients share one rate limit. Once per process.',
    ['advice'],
  ),
  'network.proxy-not-trusted': event(
    'warn',
    'Requests come through a proxy and `server.trustProxy` is off: all clients share one rate limit. Once per process.',
    ['advice'],
  ),
  'auth.tier-unknown': event('warn', 'A token has a tier that is not configured. Once per issuer.', [
    'issuer',
    'defaultTier',
  ]),
  'auth.guest-merge-failed': event(
    'warn',
    'The conversations of a guest who signed in could not be assigned to the account; it is tried again at the next request.',
  ),
  'auth.key-fetch-failed': event('warn', 'The keys of a token issuer could not be downloaded.', [
    'host',
    'hasCachedKeys',
  ]),
  'admin.refused': event(
    'warn',
    'A wrong admin token, or a failed sign-in; `network` is a pseudonym, `reason` that of the refusal.',
    ['requestId', 'network', 'reason'],
  ),
} as const
