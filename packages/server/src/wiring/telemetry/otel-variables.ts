// Reads the standard variables of OpenTelemetry (`OTEL_…`). Without one of them nothing is exported. A value that we do not
// support is a problem of the configuration, and not a silent default: telemetry that is missing is noticed when it is needed.
import type { BatchSettings, OtlpSettings, SignalSettings } from '#adapters/otlp/settings.ts'
import type { ConfigProblem } from '#config/load-config.ts'
import { SIGNALS } from '#domain/telemetry/export-names.ts'
import type { Signal } from '#domain/telemetry/export-names.ts'
import { STABLE } from '#domain/telemetry/gen-ai-names.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface OtelVariables {
  /** Undefined when nothing is exported. */
  readonly settings: OtlpSettings | undefined
  readonly problems: readonly ConfigProblem[]
}

const PREFIX = 'OTEL_EXPORTER_OTLP_'
const DEFAULT_ENDPOINT = 'http://localhost:4318'
const PROTOCOLS = ['http/protobuf', 'http/json'] as const
const COMPRESSIONS = ['gzip', 'none'] as const
const SERVICE = 'mangaassist'
const TIMEOUT_MS = 10_000
const METRICS_EVERY_MS = 60_000
const COUNT_MAX = 1_000_000
/** Propagators that we have, and `baggage`, which is on by default elsewhere and of which we send none. */
const PROPAGATORS = new Set(['tracecontext', 'baggage', 'xray', 'none'])
/** Samplers that leave the decision to us. */
const SAMPLERS = new Set(['always_on', 'parentbased_always_on'])
const FILES = ['CERTIFICATE', 'CLIENT_KEY', 'CLIENT_CERTIFICATE']

export function readOtelVariables(env: Environment): OtelVariables {
  const reader = new Reader(env)
  if (reader.isTrue('OTEL_SDK_DISABLED')) return { settings: undefined, problems: reader.problems }
  const chosen = SIGNALS.filter((signal) => reader.isOn(signal))
  if (chosen.length === 0) {
    reader.checkUnused()
    return { settings: undefined, problems: reader.problems }
  }
  const signals = Object.fromEntries(chosen.map((signal) => [signal, reader.signal(signal)]))
  reader.checkIgnored()
  const settings: OtlpSettings = {
    resource: reader.resource(),
    signals,
    spans: reader.batch('OTEL_BSP_', 5000),
    logs: reader.batch('OTEL_BLRP_', 1000),
    metricsEveryMs: reader.number('OTEL_METRIC_EXPORT_INTERVAL', METRICS_EVERY_MS),
  }
  return { settings, problems: reader.problems }
}

class Reader {
  readonly problems: ConfigProblem[] = []
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  /** An empty value is no value, as the specification asks. */
  #value(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  isTrue(name: string): boolean {
    const value = this.#value(name)?.toLowerCase()
    if (value !== undefined && value !== 'true' && value !== 'false')
      this.#wrong(name, { given: value, allowed: 'true or false', fix: 'Correct it, or remove it.' })
    return value === 'true'
  }

  isOn(signal: Signal): boolean {
    const name = `OTEL_${signal.toUpperCase()}_EXPORTER`
    const exporter = this.#value(name)
    const { name: endpoint } = this.#ofSignal(signal, 'ENDPOINT')
    if (exporter === undefined) return endpoint !== undefined
    if (exporter === 'none' || exporter === 'otlp') return exporter === 'otlp'
    const scraped = signal === 'metrics' ? ' /metrics is there for Prometheus in any case.' : ''
    this.#wrong(name, {
      given: exporter,
      allowed: 'otlp or none',
      fix: `Use otlp with a collector, or none.${scraped}`,
    })
    return false
  }

  /** Other programs export with their own default address; a variable that says how to export has no effect here without one. */
  checkUnused(): void {
    if (SIGNALS.every((signal) => this.#value(`OTEL_${signal.toUpperCase()}_EXPORTER`) !== undefined)) return
    const set = Object.keys(this.#env).filter((name) => name.startsWith(PREFIX) && this.#value(name) !== undefined)
    for (const name of set) {
      const given = name.endsWith('HEADERS') ? '(hidden)' : `${this.#value(name)}`
      const isProtocol = name.endsWith('PROTOCOL')
      const isWrong = isProtocol && !PROTOCOLS.some((one) => one === given)
      this.#wrong(name, {
        given,
        allowed: isProtocol ? `${PROTOCOLS.join(' or ')}, beside an endpoint` : 'beside an endpoint',
        fix: `Nothing is exported. Set ${PREFIX}ENDPOINT, such as ${DEFAULT_ENDPOINT}${isWrong ? `, and use ${PROTOCOLS.join(' or ')}` : ''}, or remove it.`,
        isWarning: true,
      })
    }
  }

  signal(signal: Signal): SignalSettings {
    const protocol = this.#oneOf(signal, 'PROTOCOL', PROTOCOLS)
    const compression = this.#oneOf(signal, 'COMPRESSION', COMPRESSIONS)
    const timeoutMs = this.#ofSignal(signal, 'TIMEOUT').name
    const batchMs = signal === 'metrics' ? 'OTEL_METRIC_EXPORT_TIMEOUT' : BATCH_TIMEOUT[signal]
    const limits = [timeoutMs, batchMs].map((name) => (name === undefined ? TIMEOUT_MS : this.number(name, TIMEOUT_MS)))
    for (const file of FILES) this.#checkFile(signal, file)
    return {
      url: this.#url(signal),
      protocol: protocol ?? 'http/protobuf',
      headers: this.#headers(signal),
      compression: compression ?? 'none',
      timeoutMs: Math.min(...limits),
    }
  }

  batch(prefix: string, delayMs: number): BatchSettings {
    const queueMax = this.number(`${prefix}MAX_QUEUE_SIZE`, 2048)
    const name = `${prefix}MAX_EXPORT_BATCH_SIZE`
    const batchMax = this.number(name, Math.min(512, queueMax))
    if (batchMax > queueMax)
      this.#wrong(name, {
        given: `${batchMax}`,
        allowed: `at most ${prefix}MAX_QUEUE_SIZE (${queueMax})`,
        fix: 'Lower it: a batch must fit the queue.',
      })
    return { queueMax, batchMax, delayMs: this.number(`${prefix}SCHEDULE_DELAY`, delayMs) }
  }

  resource(): Record<string, string> {
    const name = 'OTEL_RESOURCE_ATTRIBUTES'
    const given = this.#pairs(name, this.#value(name), { isSecret: false })
    const service = this.#value('OTEL_SERVICE_NAME') ?? given[STABLE.serviceName] ?? SERVICE
    return { ...given, [STABLE.serviceName]: service }
  }

  number(name: string, otherwise: number): number {
    const value = this.#value(name)
    if (value === undefined) return otherwise
    const number = Number(value)
    if (Number.isInteger(number) && number > 0 && number <= COUNT_MAX) return number
    this.#wrong(name, {
      given: value,
      allowed: `a whole number from 1 to ${COUNT_MAX}`,
      fix: `Correct it, or remove it for the default (${otherwise}).`,
    })
    return otherwise
  }

  /** Settings that have no effect here, with the setting that has. */
  checkIgnored(): void {
    const sampler = this.#value('OTEL_TRACES_SAMPLER')
    if (sampler !== undefined && !SAMPLERS.has(sampler))
      this.#wrong('OTEL_TRACES_SAMPLER', {
        given: sampler,
        allowed: 'nothing: traces are sampled when they have ended',
        fix: 'Remove it; telemetry.traces says which traces are exported.',
        isWarning: true,
      })
    const others = (this.#value('OTEL_PROPAGATORS') ?? '').split(',').map((one) => one.trim())
    const unknown = others.filter((one) => one !== '' && !PROPAGATORS.has(one))
    if (unknown.length > 0)
      this.#wrong('OTEL_PROPAGATORS', {
        given: unknown.join(','),
        allowed: 'tracecontext, xray',
        fix: 'Remove it: both are always understood, and no other is.',
        isWarning: true,
      })
    const name = 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'
    const temporality = this.#value(name)?.toLowerCase()
    if (temporality !== undefined && temporality !== 'cumulative')
      this.#wrong(name, {
        given: temporality,
        allowed: 'cumulative',
        fix: 'Remove it, and let the collector convert (its processor cumulativetodelta).',
      })
  }

  /** The variable of the signal wins over the general one. */
  #ofSignal(signal: Signal, part: string): { readonly name: string | undefined; readonly isOwn: boolean } {
    const own = `${PREFIX}${signal.toUpperCase()}_${part}`
    if (this.#value(own) !== undefined) return { name: own, isOwn: true }
    const general = `${PREFIX}${part}`
    return { name: this.#value(general) === undefined ? undefined : general, isOwn: false }
  }

  #url(signal: Signal): string {
    const { isOwn, name } = this.#ofSignal(signal, 'ENDPOINT')
    const given = name === undefined ? DEFAULT_ENDPOINT : (this.#value(name) ?? DEFAULT_ENDPOINT)
    const url = URL.canParse(given) ? new URL(given) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      this.#wrong(name ?? 'OTEL_EXPORTER_OTLP_ENDPOINT', {
        given: withoutUser(given),
        allowed: 'an address such as http://collector:4318',
        fix: 'Begin it with http:// or https://.',
      })
      return DEFAULT_ENDPOINT
    }
    // The address of a signal is complete; the general one is the beginning of three.
    return isOwn ? url.href : `${url.href.replace(/\/+$/, '')}/v1/${signal}`
  }

  #oneOf<Value extends string>(signal: Signal, part: string, values: readonly Value[]): Value | undefined {
    const { name } = this.#ofSignal(signal, part)
    if (name === undefined) return undefined
    const given = this.#value(name)
    const value = values.find((one) => one === given)
    if (value === undefined) {
      const fix =
        given === 'grpc' ? 'Use http/protobuf, which collectors take at port 4318.' : 'Correct it, or remove it.'
      this.#wrong(name, { given: `${given}`, allowed: values.join(' or '), fix })
    }
    return value
  }

  #headers(signal: Signal): Record<string, string> {
    const { name } = this.#ofSignal(signal, 'HEADERS')
    return name === undefined ? {} : this.#pairs(name, this.#value(name), { isSecret: true })
  }

  #checkFile(signal: Signal, part: string): void {
    const { name } = this.#ofSignal(signal, part)
    if (name === undefined) return
    this.#wrong(name, {
      given: 'a file',
      allowed: 'nothing',
      fix: 'Remove it. For a certificate authority of your own set NODE_EXTRA_CA_CERTS; for a client’s certificate send to a collector on this machine.',
    })
  }

  /** `name=value,name=value`, with values in percent-encoding. */
  #pairs(name: string, text: string | undefined, { isSecret }: { readonly isSecret: boolean }): Record<string, string> {
    const pairs: Record<string, string> = {}
    for (const pair of (text ?? '').split(',')) {
      if (pair.trim() === '') continue
      const at = pair.indexOf('=')
      const key = at === -1 ? '' : pair.slice(0, at).trim()
      const value = decoded(pair.slice(at + 1).trim())
      if (key !== '' && value !== undefined && !/[\r\n]/.test(value)) pairs[key] = value
      else {
        this.#wrong(name, {
          given: isSecret ? '(hidden)' : pair.trim(),
          allowed: 'name=value pairs with commas between them',
          fix: 'Write commas, spaces and other special characters of a value as %2C, %20 and so on.',
        })
        return {}
      }
    }
    return pairs
  }

  #wrong(path: string, problem: Omit<ConfigProblem, 'path'>): void {
    // A general variable is read for each signal.
    if (!this.problems.some((one) => one.path === path)) this.problems.push({ path, ...problem })
  }
}

const BATCH_TIMEOUT = { traces: 'OTEL_BSP_EXPORT_TIMEOUT', logs: 'OTEL_BLRP_EXPORT_TIMEOUT' } as const

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

function withoutUser(address: string): string {
  return address.replaceAll(/\/\/[^/@\s]+@/g, '//(hidden)@')
}
