// The lanes at `/readyz`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laneHealth } from './lane-health.ts'

const well = { lane: 'model@somewhere', level: 'normal', phase: 'closed', scope: 'fleet', rejected: [] } as const

test('a lane is shown by the names of its models, not by its own', () => {
  assert.deepEqual(laneHealth([{ ...well, models: ['primary', 'same'] }]), {
    'lane:primary': { status: 'ok', level: 'normal', phase: 'closed' },
    'lane:same': { status: 'ok', level: 'normal', phase: 'closed' },
  })
})

test('the lane of a dependency is shown by its own name', () => {
  const shown = laneHealth([{ ...well, lane: 'search', level: 'open', phase: 'open', scope: 'node', models: [] }])
  assert.deepEqual(shown, { 'lane:search': { status: 'error', level: 'open', phase: 'open' } })
})

test('an open lane is an error, and one under pressure is degraded', () => {
  const shown = laneHealth([
    { ...well, level: 'open', phase: 'open', models: ['gone'] },
    { ...well, level: 'slight', models: ['busy'] },
    { ...well, level: 'recovery', phase: 'half-open', models: ['back'] },
  ])
  assert.deepEqual(
    Object.entries(shown).map(([name, { status }]) => [name, status]),
    [
      ['lane:gone', 'error'],
      ['lane:busy', 'degraded'],
      ['lane:back', 'degraded'],
    ],
  )
})

test('a model whose vendor rejects its calls is an error with the cause, and the other model of its lane is not', () => {
  const rejected = [{ model: 'old-key', cause: 'access-denied', status: 403, calls: 3, since: 0 }] as const
  assert.deepEqual(laneHealth([{ ...well, models: ['old-key', 'new-key'], rejected }]), {
    'lane:old-key': { status: 'error', level: 'normal', phase: 'closed', rejected: 'access-denied' },
    'lane:new-key': { status: 'ok', level: 'normal', phase: 'closed' },
  })
})
