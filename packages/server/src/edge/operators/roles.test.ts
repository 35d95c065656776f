// Every route of the admin API has a least role, and each role is let in or refused by it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES } from '@mangaassist/protocol/admin'
import { openDoors } from '#fixtures/edge/doors.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { leastRoleOf, routesWithRoles } from './roles.ts'

const auth = { admins: ROLES.map((role) => ({ name: `the-${role}`, hash: secretHash(`maa_${role}`), role })) }

interface Operation {
  readonly security?: readonly object[]
  readonly 'x-role'?: string
}

async function describedRoutes(doors: Awaited<ReturnType<typeof openDoors>>) {
  const document = (await doors.http.inject({ url: '/openapi.json' })).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/admin'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
        return { route: `${method.toUpperCase()} ${url}`, method: method.toUpperCase(), url, operation }
      }),
    )
}

test('the table has exactly the routes of the admin API, and the contract says their roles', async () => {
  await using doors = await openDoors({ auth })
  const described = await describedRoutes(doors)
  assert.deepEqual(described.map(({ route }) => route).toSorted(), routesWithRoles.toSorted())
  for (const { method, operation, url } of described) {
    const role = leastRoleOf(method, url)
    assert.equal(operation['x-role'], role === 'anyone' ? undefined : role, url)
  }
})

test('a route without a role does not start', () => {
  assert.throws(() => leastRoleOf('POST', '/api/admin/everything'), /has no role/)
  assert.throws(() => leastRoleOf('GET', '/api/admin/toString'), /has no role/)
})

test('each role is let in exactly where its rank suffices, and a refusal names the role that is needed', async () => {
  await using doors = await openDoors({ auth })
  for (const { method, url } of await describedRoutes(doors)) {
    const least = leastRoleOf(method, url)
    if (least === 'anyone') continue
    for (const role of ROLES) {
      const response = await doors.http.inject({
        method: method as 'GET',
        // Unknown ids: what is let in is refused for another reason, and changes nothing.
        url: url.replaceAll(/:\w+/g, 'nobody'),
        headers: { authorization: `Bearer maa_${role}`, 'content-type': 'application/json' },
        ...(method === 'GET' || method === 'DELETE' ? {} : { payload: '{}' }),
      })
      const mayPass: boolean = ROLES.indexOf(role) >= ROLES.indexOf(least)
      assert.equal(response.statusCode === 403, !mayPass, `${role} ${method} ${url}: ${response.body}`)
      if (mayPass) continue
      const { code, details } = response.json().error
      assert.deepEqual([code, details], ['FORBIDDEN', { reason: 'role', role, needed: least }])
    }
  }
})

test('a viewer sees which answers were disliked, and not their texts', async () => {
  await using doors = await openDoors({ auth })
  const ask = (role: string, url: string) =>
    doors.http.inject({ url: `/api/admin${url}`, headers: { authorization: `Bearer maa_${role}` } })
  assert.equal((await ask('viewer', '/feedback/worst')).statusCode, 200)
  const refused = await ask('viewer', '/feedback/worst?reason=curious')
  assert.deepEqual([refused.statusCode, refused.json().error.details.needed], [403, 'operator'])
  assert.equal((await ask('operator', '/feedback/worst?reason=curious')).statusCode, 200)
})

test('an entry without a role is an administrator', async () => {
  await using doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash('maa_old') }] } })
  const session = await doors.http.inject({ url: '/api/admin/session', headers: { authorization: 'Bearer maa_old' } })
  assert.deepEqual([session.json().data.name, session.json().data.role], ['aki', 'admin'])
})
