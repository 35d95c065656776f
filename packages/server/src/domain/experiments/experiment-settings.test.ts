// The digest of a start: what of the configuration pauses a running experiment when it is changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDigest } from './experiment-settings.ts'
import type { ArmChange, ExperimentSettings } from './experiment-settings.ts'

function settings(change: ArmChange, more: Partial<ExperimentSettings['list'][string]> = {}): ExperimentSettings {
  const arms = { control: { weight: 1 }, short: { weight: 1, change } }
  return { holdoutShare: 0.05, list: { one: { arms, outcome: 'thumbs-up', ...more } } }
}

const digest = (...[change, more]: Parameters<typeof settings>) => startDigest('one', settings(change, more))

test('another change of an arm, another split or another holdout is another digest', () => {
  const digests = [
    digest({ temperature: 0.2 }),
    digest({ temperature: 0.3 }),
    digest({ temperature: 0.2, maxTokens: 300 }),
    digest({ levels: { simple: 'economy' } }),
    digest({ levels: { simple: 'primary' } }),
    digest({ temperature: 0.2 }, { to: 0.5 }),
    digest(
      { temperature: 0.2 },
      { arms: { control: { weight: 2 }, short: { weight: 1, change: { temperature: 0.2 } } } },
    ),
    startDigest('one', { ...settings({ temperature: 0.2 }), holdoutShare: 0.1 }),
  ]
  assert.equal(new Set(digests).size, digests.length)
})

test('the order of arms and fields, defaults, the guard and other experiments do not matter', () => {
  const known = digest({ temperature: 0.2, levels: { simple: 'economy', complex: 'primary' } })
  const short = { change: { levels: { complex: 'primary', simple: 'economy' }, temperature: 0.2 }, weight: 1 }
  const { list, ...rest } = settings({}, { arms: { short, control: { weight: 1 } }, layer: 'answers', from: 0, to: 1 })
  const guarded = { ...list['one']!, guard: { errorShareMax: 0.1 } }
  assert.equal(startDigest('one', { ...rest, list: { other: list['one']!, one: guarded } }), known)
})

test('prompts count by their version and not by their folder', () => {
  const of = (folder: string, version: string) =>
    startDigest('one', settings({ prompts: folder }), new Map([[folder, { version }]]))
  assert.equal(of('/here/short', 'short-1.0'), of('/there/short', 'short-1.0'))
  assert.notEqual(of('/here/short', 'short-1.0'), of('/here/short', 'short-1.1'))
})
