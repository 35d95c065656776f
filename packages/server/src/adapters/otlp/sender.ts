// Sends batches of one signal by OpenTelemetry's own exporter: its wire format, its retries with backoff and Retry-After
// within the timeout. It waits on silence only, so we cut a collector that answers a byte now and then.
import type { Agent } from 'node:http'
import { ExportResultCode } from '@opentelemetry/core'
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base'
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import type { IExporterMetricsHelper, ISerializer } from '@opentelemetry/otlp-transformer'
import type { Clock } from '#ports/clock/port.ts'
import type { SignalSettings } from './settings.ts'

/** After the timeout of a batch, how much longer its connection is left open. */
const CUT_AFTER_MS = 1000
const CONTENT_TYPES = { 'http/protobuf': 'application/x-protobuf', 'http/json': 'application/json' } as const

export interface Sender<Items> {
  /** Resolves with how many records the collector refused; rejects when it did not take the batch. */
  send(items: Items): Promise<number>
  /** Cuts what is in flight. */
  close(): void
}

export interface Wire<Items, Response> {
  readonly serializers: Readonly<Record<SignalSettings['protocol'], ISerializer<Items, Response>>>
  readonly helper: IExporterMetricsHelper<Items>
  /** How many records a partial success refuses; JSON has whole numbers as text. */
  readonly refusedIn: (response: Response) => number | string | undefined
}

export function otlpSender<Items, Response>(
  { compression, headers, protocol, timeoutMs, url }: SignalSettings,
  { helper, refusedIn, serializers }: Wire<Items, Response>,
  clock: Pick<Clock, 'after'>,
): Sender<Items> {
  let agent: Agent | undefined
  let refused = 0
  const serializer = serializers[protocol]
  const delegate = createOtlpHttpExportDelegate(
    {
      url,
      headers: async () => ({ ...headers, 'Content-Type': CONTENT_TYPES[protocol] }),
      compression: compression === 'gzip' ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
      timeoutMillis: timeoutMs,
      concurrencyLimit: 1,
      agentFactory: async (scheme) => {
        const { Agent: Pool } = await (scheme === 'http:' ? import('node:http') : import('node:https'))
        agent = new Pool({ keepAlive: true, maxSockets: 1 })
        return agent
      },
    },
    {
      serializeRequest: (items) => serializer.serializeRequest(items),
      deserializeResponse(data) {
        const response = serializer.deserializeResponse(data)
        refused = Number(refusedIn(response) ?? 0)
        return response
      },
    },
    `otlp_${protocol === 'http/json' ? 'http_json' : 'http'}_${helper.name}_exporter`,
    helper,
    undefined,
  )
  return {
    async send(items) {
      using _cut = clock.after(timeoutMs + CUT_AFTER_MS, () => agent?.destroy())
      refused = 0
      await new Promise<void>((resolve, reject) =>
        delegate.export(items, ({ code, error }) =>
          code === ExportResultCode.SUCCESS ? resolve() : reject(error ?? new Error('the collector took nothing')),
        ),
      )
      return refused
    },
    close: () => agent?.destroy(),
  }
}
