// The OpenAPI document: complete, consistent, and about the existing routes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { openDoors } from '#fixtures/edge/doors.ts'

interface Operation {
  operationId: string
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; headers: object; content: object }>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; headers: Record<string, object> }
}

async function fetchDocument(): Promise<Document> {
  await using doors = await openDoors()
  const response = await doors.http.inject({ url: '/openapi.json' })
  assert.equal(response.statusCode, 200)
  return response.json() as Document
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref') yield String(inner)
    else yield* references(inner)
  }
}

test('every route of the contract is in the document', async () => {
  const { openapi, paths } = await fetchDocument()
  assert.equal(openapi, '3.1.0')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  assert.deepEqual(operations.toSorted(), [
    'delete /api/admin/blocks',
    'delete /api/admin/catalogue/imports/{importId}',
    'delete /api/admin/session',
    'delete /api/admin/tiers/{tier}',
    'delete /api/admin/users/{userId}/override',
    'delete /api/cart/items/{itemId}',
    'delete /api/me',
    'delete /api/sessions/{sessionId}',
    'get /api/admin/alarms',
    'get /api/admin/audit',
    'get /api/admin/blocks',
    'get /api/admin/catalogue',
    'get /api/admin/catalogue/products',
    'get /api/admin/conversations/{sessionId}',
    'get /api/admin/experiments',
    'get /api/admin/experiments/{name}/report',
    'get /api/admin/feedback',
    'get /api/admin/feedback/worst',
    'get /api/admin/handovers',
    'get /api/admin/lanes',
    'get /api/admin/maintenance',
    'get /api/admin/models',
    'get /api/admin/nodes',
    'get /api/admin/overrides',
    'get /api/admin/overview',
    'get /api/admin/search',
    'get /api/admin/session',
    'get /api/admin/settings',
    'get /api/admin/spenders',
    'get /api/admin/tiers',
    'get /api/admin/turn-records',
    'get /api/admin/turns/{id}',
    'get /api/admin/usage',
    'get /api/admin/usage/rows',
    'get /api/admin/users/{userId}',
    'get /api/admin/users/{userId}/conversations',
    'get /api/admin/users/{userId}/export',
    'get /api/cart',
    'get /api/faq',
    'get /api/me/export',
    'get /api/orders',
    'get /api/orders/{orderId}',
    'get /api/products',
    'get /api/products/{id}',
    'get /api/quota',
    'get /api/sessions',
    'get /api/sessions/{sessionId}',
    'get /api/sessions/{sessionId}/handover',
    'get /api/staff/transcripts/{token}',
    'get /api/turns/{turnId}/events',
    'get /v1/models',
    'get /v1/models/{model}',
    'patch /api/cart/items/{itemId}',
    'post /api/admin/alarms/test',
    'post /api/admin/alarms/{id}/silence',
    'post /api/admin/backup',
    'post /api/admin/catalogue/imports',
    'post /api/admin/catalogue/imports/{importId}/commit',
    'post /api/admin/catalogue/imports/{importId}/rows',
    'post /api/admin/experiments/{name}/start',
    'post /api/admin/experiments/{name}/stop',
    'post /api/admin/handovers/{handoverId}/close',
    'post /api/admin/handovers/{handoverId}/take',
    'post /api/admin/lanes/{lane}',
    'post /api/admin/maintenance',
    'post /api/admin/prewarm',
    'post /api/admin/session',
    'post /api/admin/usage/reconcile',
    'post /api/admin/users/{userId}/erase',
    'post /api/admin/users/{userId}/reset',
    'post /api/cart/items',
    'post /api/chat',
    'post /api/checkout',
    'post /api/sessions/{sessionId}/handover',
    'post /api/ticket',
    'post /api/turns/{turnId}/feedback',
    'post /api/turns/{turnId}/opened',
    'post /api/turns/{turnId}/stop',
    'post /v1/chat/completions',
    'put /api/admin/blocks',
    'put /api/admin/settings',
    'put /api/admin/tiers/{tier}',
    'put /api/admin/users/{userId}/override',
  ])
})

test('every reference in the document leads somewhere', async () => {
  const document = await fetchDocument()
  const all = [...references(document)]
  assert.ok(all.length > 50)
  for (const reference of all) {
    const found = reference
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
    assert.ok(found, reference)
  }
})

test('operations have unique ids, declare their path parameters, and describe success and refusals', async () => {
  const { paths } = await fetchDocument()
  const ids: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const operation of Object.values(methods)) {
      ids.push(operation.operationId)
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path')
      assert.deepEqual(
        declared.map(({ name }) => `{${name}}`),
        path.match(/\{\w+\}/g) ?? [],
      )
      assert.ok(declared.every(({ required }) => required))
      assert.ok(operation.responses['200'])
      assert.ok(operation.responses['500'])
      for (const response of Object.values(operation.responses)) assert.ok(response.description && response.headers)
    }
  }
  assert.equal(new Set(ids).size, ids.length)
})

test('the schemas in the document are schemas that compile, and are plain JSON', async () => {
  const { components } = await fetchDocument()
  for (const [name, schema] of Object.entries(components.schemas)) {
    assert.doesNotThrow(() => Compile({ $defs: {}, ...schema }), name)
    assert.equal(JSON.stringify(schema).includes('~'), false, name)
  }
})
