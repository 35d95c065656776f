// The standard variables: what switches the export on, what each signal gets, and what is reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOtelVariables } from './otel-variables.ts'

const read = (env: Record<string, string>) => readOtelVariables(env)
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
const urls = (env: Record<string, string>) =>
  Object.entries(read(env).settings?.signals ?? {}).map(([signal, { url }]) => `${signal} ${url}`)
const problems = (env: Record<string, string>) =>
  read({ ...ENDPOINT, ...env }).problems.map(
    ({ isWarning, path }) => `${path}${isWarning === true ? ' (warning)' : ''}`,
  )

test('without variables nothing is exported', () => {
  for (const env of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, { OTEL_SERVICE_NAME: 'shop' }])
    assert.deepEqual(read(env), { settings: undefined, problems: [] })
})

test('an endpoint switches all signals on, and the address of a signal is complete', () => {
  assert.deepEqual(urls(ENDPOINT), [
    'traces http://collector:4318/v1/traces',
    'metrics http://collector:4318/v1/metrics',
    'logs http://collector:4318/v1/logs',
  ])
  assert.deepEqual(
    urls({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/base/' })[0],
    'traces https://otlp.example/base/v1/traces',
  )
  assert.deepEqual(
    urls({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://xray.ap-northeast-1.amazonaws.com/v1/traces' }),
    ['traces https://xray.ap-northeast-1.amazonaws.com/v1/traces'],
  )
})

test('an exporter can be switched on by itself, and off', () => {
  assert.deepEqual(urls({ OTEL_TRACES_EXPORTER: 'otlp' }), ['traces http://localhost:4318/v1/traces'])
  assert.deepEqual(urls({ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }).length, 1)
  assert.equal(read({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }).settings, undefined)
  assert.notEqual(read({ ...ENDPOINT, OTEL_SDK_DISABLED: 'false' }).settings, undefined)
})

test('a signal’s own variable wins over the general one', () => {
  const { settings } = read({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20one,x-tenant=a%2Cb',
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'authorization=two=',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '4000',
  })
  const { logs, metrics, traces } = settings?.signals ?? {}
  assert.deepEqual([traces?.protocol, metrics?.protocol], ['http/protobuf', 'http/json'])
  assert.deepEqual(traces?.headers, { authorization: 'Bearer one', 'x-tenant': 'a,b' })
  assert.deepEqual(logs?.headers, { authorization: 'two=' })
  assert.deepEqual([traces?.timeoutMs, metrics?.timeoutMs, logs?.compression], [2500, 4000, 'gzip'])
})

test('the defaults are those of the specification', () => {
  const { settings } = read(ENDPOINT)
  assert.deepEqual(settings?.signals.traces, {
    url: 'http://collector:4318/v1/traces',
    protocol: 'http/protobuf',
    headers: {},
    compression: 'none',
    timeoutMs: 10_000,
  })
  assert.deepEqual(settings?.spans, { queueMax: 2048, batchMax: 512, delayMs: 5000 })
  assert.deepEqual(settings?.logs, { queueMax: 2048, batchMax: 512, delayMs: 1000 })
  assert.equal(settings?.metricsEveryMs, 60_000)
})

test('batches, intervals and the resource are read', () => {
  const { settings } = read({
    ...ENDPOINT,
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '50',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_BSP_EXPORT_TIMEOUT: '700',
    OTEL_METRIC_EXPORT_INTERVAL: '15000',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=prod,host=a%20b',
  })
  assert.deepEqual(settings?.spans, { queueMax: 100, batchMax: 50, delayMs: 200 })
  assert.deepEqual([settings?.metricsEveryMs, settings?.signals.traces?.timeoutMs], [15_000, 700])
  assert.deepEqual(settings?.resource, { 'service.name': 'other', 'deployment.environment.name': 'prod', host: 'a b' })
  const named = read({ ...ENDPOINT, OTEL_SERVICE_NAME: 'shop', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other' })
  assert.equal(named.settings?.resource['service.name'], 'shop')
})

for (const [name, value] of [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://collector'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
  ['OTEL_EXPORTER_OTLP_CERTIFICATE', '/etc/ca.pem'],
  ['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', 'delta'],
  ['OTEL_METRICS_EXPORTER', 'prometheus'],
  ['OTEL_TRACES_EXPORTER', 'console'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'broken'],
  ['OTEL_BSP_MAX_QUEUE_SIZE', '0'],
  ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '5000'],
  ['OTEL_BLRP_SCHEDULE_DELAY', '-1'],
  ['OTEL_SDK_DISABLED', 'yes'],
] as const) {
  test(`${name}=${value} is reported once`, () => {
    assert.deepEqual(problems({ [name]: value }), [name])
  })
}

test('what has no effect here is a warning', () => {
  assert.deepEqual(problems({ OTEL_TRACES_SAMPLER: 'traceidratio' }), ['OTEL_TRACES_SAMPLER (warning)'])
  assert.deepEqual(problems({ OTEL_PROPAGATORS: 'tracecontext,b3' }), ['OTEL_PROPAGATORS (warning)'])
  assert.deepEqual(problems({ OTEL_PROPAGATORS: 'tracecontext,baggage', OTEL_TRACES_SAMPLER: 'always_on' }), [])
})

test('a variable that says how to export is a warning where nothing is exported, with what switches it on', () => {
  const [grpc, ...others] = read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).problems
  assert.deepEqual(others, [])
  assert.deepEqual([grpc?.path, grpc?.given, grpc?.isWarning], ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', true])
  assert.match(grpc?.allowed ?? '', /^http\/protobuf or http\/json/)
  assert.match(
    grpc?.fix ?? '',
    /^Nothing is exported\. Set OTEL_EXPORTER_OTLP_ENDPOINT.* and use http\/protobuf or http\/json/,
  )
  const [headers] = read({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret' }).problems
  assert.deepEqual([headers?.given, headers?.isWarning], ['(hidden)', true])
  const off = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
  assert.deepEqual(read({ ...off, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).problems, [])
  assert.deepEqual(read({ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).problems, [])
})

test('no secret is in a problem', () => {
  const given = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://user:secret@collector',
    OTEL_EXPORTER_OTLP_HEADERS: 'secret%zz',
  }).problems
  assert.equal(given.length, 2)
  assert.doesNotMatch(JSON.stringify(given), /secret/)
})
