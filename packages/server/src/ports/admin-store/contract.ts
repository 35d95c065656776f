// The contract of the admin store. `make` returns an empty one that accepts overrides for at most three users, and three
// settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { AdminStore } from './port.ts'

const change = (at: number, reason = 'because') => ({ at, by: 'ops', reason })
const started = { startedAt: 1, startedBy: 'ops', reason: 'try', split: 'digest' }
const premium = { tier: 'premium', limits: { microUsdPerDay: 30_000_000 }, expiresAt: 5000 }

export function adminStoreContract(name: string, make: (context: TestContext) => Promise<AdminStore>): void {
  test(`${name}: a new store has no overrides and no audit lines`, async (context) => {
    const store = await make(context)
    const known = await store.overrides()
    assert.deepEqual([known?.tiers.size, known?.users.size], [0, 0])
    assert.equal(await store.overrides(known?.version), undefined)
    assert.deepEqual(await store.audit({ limit: 10 }), [])
  })

  test(`${name}: a change is read as it was made, with its line in the audit`, async (context) => {
    const store = await make(context)
    const first = await store.setTier('free', { requestsPerMinute: 3 }, change(1))
    assert.deepEqual(first, {
      number: 1,
      ...change(1),
      action: 'tier-set',
      subject: 'free',
      before: null,
      after: { requestsPerMinute: 3 },
    })
    const second = await store.setUser('user_1', premium, change(2, '休日のイベント'))
    assert.deepEqual([second?.number, second?.action, second?.after], [2, 'user-set', premium])
    const known = await store.overrides()
    assert.deepEqual([...(known?.tiers ?? [])], [['free', { requestsPerMinute: 3 }]])
    assert.deepEqual([...(known?.users ?? [])], [['user_1', premium]])
    assert.deepEqual(await store.audit({ limit: 10 }), [second, first])
  })

  test(`${name}: each change raises the version, and the audit has the value before it`, async (context) => {
    const store = await make(context)
    await store.setUser('user_1', { tier: 'standard' }, change(1))
    const version = (await store.overrides())?.version
    const replaced = await store.setUser('user_1', premium, change(2))
    assert.deepEqual([replaced?.before, replaced?.after], [{ tier: 'standard' }, premium])
    assert.deepEqual((await store.overrides(version))?.users.get('user_1'), premium)
    const cleared = await store.setUser('user_1', undefined, change(3))
    assert.deepEqual([cleared?.action, cleared?.before, cleared?.after], ['user-cleared', premium, null])
    await store.setTier('free', { rateFactor: 0.5 }, change(4))
    const gone = await store.setTier('free', undefined, change(5))
    assert.deepEqual([gone.action, gone.before, gone.after], ['tier-cleared', { rateFactor: 0.5 }, null])
    const known = await store.overrides()
    assert.deepEqual([known?.tiers.size, known?.users.size], [0, 0])
  })

  test(`${name}: the audit is read newest first, by page and by subject`, async (context) => {
    const store = await make(context)
    for (let at = 1; at <= 5; at += 1) {
      const about = { subject: at % 2 === 0 ? 'user_2' : 'user_1', before: { inputTokens: at }, after: null }
      await store.note({ ...change(at), action: 'day-reset', ...about })
    }
    const numbers = async (asked: Parameters<AdminStore['audit']>[0]) =>
      (await store.audit(asked)).map(({ number }) => number)
    assert.deepEqual(await numbers({ limit: 2 }), [5, 4])
    assert.deepEqual(await numbers({ limit: 2, below: 4 }), [3, 2])
    assert.deepEqual(await numbers({ limit: 2, subject: 'user_1' }), [5, 3])
    assert.deepEqual(await numbers({ limit: 2, subject: 'user_1', below: 3 }), [1])
    assert.deepEqual((await store.audit({ limit: 1 }))[0]?.before, { inputTokens: 5 })
  })

  test(`${name}: beyond the limit no user is added, and expired overrides make room`, async (context) => {
    const store = await make(context)
    for (const id of ['a', 'b', 'c']) await store.setUser(id, { ...premium, expiresAt: 5000 }, change(1))
    assert.equal(await store.setUser('d', premium, change(2)), undefined)
    assert.notEqual(await store.setUser('a', { tier: 'standard' }, change(2)), undefined)
    assert.equal((await store.audit({ limit: 10 })).length, 4)
    assert.notEqual(await store.setUser('d', { tier: 'premium' }, change(5000)), undefined)
    assert.deepEqual([...((await store.overrides())?.users.keys() ?? [])].toSorted(), ['a', 'd'])
  })

  test(`${name}: an experiment's state is read as it was set, and the first key stays`, async (context) => {
    const store = await make(context)
    assert.deepEqual((await store.overrides())?.experiments, { states: new Map() })
    const start = { action: 'experiment-started', before: undefined, after: started, newKey: 'first' } as const
    const entry = await store.setExperiment('prompts', start, change(1))
    const line = { number: 1, ...change(1), action: 'experiment-started', subject: 'prompts', before: null }
    assert.deepEqual(entry, { ...line, after: started })
    const stopped = { ...started, stopped: { at: 2, by: 'ops', reason: '十分' } }
    const stop = { action: 'experiment-stopped', before: started, after: stopped, newKey: 'second' } as const
    assert.deepEqual((await store.setExperiment('prompts', stop, change(2)))?.before, started)
    await store.setExperiment('models', start, change(3))
    const known = await store.overrides()
    assert.equal(known?.experiments.key, 'first')
    const states = [...(known?.experiments.states ?? [])].toSorted(([one], [other]) => (one < other ? -1 : 1))
    assert.deepEqual(states, [
      ['models', started],
      ['prompts', stopped],
    ])
    assert.deepEqual((await store.audit({ limit: 10, subject: 'prompts' })).at(-1), entry)
  })

  test(`${name}: of two changes of one state only the first is made`, async (context) => {
    const store = await make(context)
    const start = { action: 'experiment-started', before: undefined, after: started, newKey: 'key' } as const
    const both = await Promise.all([1, 2].map((at) => store.setExperiment('prompts', start, change(at))))
    assert.equal(both.filter((entry) => entry !== undefined).length, 1)
    const other = { ...started, reason: 'another' }
    const late = { action: 'arm-stopped', before: other, after: { ...other, stoppedArms: {} }, newKey: 'key' } as const
    assert.equal(await store.setExperiment('prompts', late, change(3)), undefined)
    assert.deepEqual((await store.overrides())?.experiments.states.get('prompts'), started)
    assert.equal((await store.audit({ limit: 10 })).length, 1)
  })

  test(`${name}: a setting is read as it was set, until it is removed, and the audit has both`, async (context) => {
    const store = await make(context)
    assert.deepEqual((await store.overrides())?.settings, new Map())
    const mode = { value: 'reduced', by: 'ops', at: 1, reason: '障害', expiresAt: 5000 }
    const about = { action: 'setting-set', subject: 'mode' } as const
    const first = await store.setSetting('mode', mode, { ...change(1), ...about })
    assert.deepEqual(first, { number: 1, ...change(1), ...about, before: null, after: mode })
    const { version, settings } = (await store.overrides()) ?? {}
    assert.deepEqual(settings, new Map([['mode', mode]]))
    const off = { value: false, by: 'ops', at: 2, reason: 'because' }
    await store.setSetting('lane:a/b', off, { ...change(2), action: 'lane-disabled', subject: 'a/b' })
    assert.deepEqual((await store.overrides(version))?.settings.get('lane:a/b'), off)
    const cleared = await store.setSetting('mode', undefined, { ...change(3), ...about, action: 'setting-cleared' })
    assert.deepEqual([cleared?.before, cleared?.after], [mode, null])
    assert.deepEqual([...((await store.overrides())?.settings.keys() ?? [])], ['lane:a/b'])
    assert.deepEqual(await store.audit({ limit: 10, subject: 'mode' }), [cleared, first])
  })

  test(`${name}: beyond the limit no setting is added, and expired ones make room`, async (context) => {
    const store = await make(context)
    const setting = (at: number) => ({ value: true, by: 'ops', at, reason: 'because' })
    const about = { action: 'signed-out', subject: 'aki' } as const
    for (const id of ['a', 'b', 'c'])
      await store.setSetting(
        id,
        { ...setting(1), ...(id === 'b' ? {} : { expiresAt: 5000 }) },
        { ...change(1), ...about },
      )
    assert.equal(await store.setSetting('d', setting(2), { ...change(2), ...about }), undefined)
    assert.notEqual(await store.setSetting('b', setting(2), { ...change(2), ...about }), undefined)
    assert.notEqual(await store.setSetting('d', setting(5000), { ...change(5000), ...about }), undefined)
    assert.deepEqual([...((await store.overrides())?.settings.keys() ?? [])].toSorted(), ['b', 'd'])
  })

  test(`${name}: concurrent changes are all made, each with its own line`, async (context) => {
    const store = await make(context)
    await Promise.all([1, 2, 3, 4, 5].map((at) => store.setTier('free', { requestsPerMinute: at }, change(at))))
    const entries = await store.audit({ limit: 10 })
    assert.deepEqual(
      entries.map(({ number }) => number),
      [5, 4, 3, 2, 1],
    )
    // Each found the value that the change before it had left.
    for (const [index, { before }] of entries.entries()) assert.deepEqual(before, entries[index + 1]?.after ?? null)
  })
}
