// What the console remembers, and what it does when it cannot.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createPreferences, withoutView, withView } from './preferences.ts'

function storageOf(first?: string) {
  const entries = new Map<string, string>(first === undefined ? [] : [['mangaassist-console', first]])
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  }
}

test('a preference survives a reload, and a change keeps the others', () => {
  const storage = storageOf()
  createPreferences(() => storage).write({ theme: 'dark' })
  createPreferences(() => storage).write({ language: 'ja' })
  assert.deepEqual(createPreferences(() => storage).read(), { theme: 'dark', language: 'ja' })
})

test('without storage a preference holds for the page', () => {
  const preferences = createPreferences(() => {
    throw new Error('refused')
  })
  preferences.write({ theme: 'light' })
  assert.deepEqual(preferences.read(), { theme: 'light' })
})

test('what has the wrong form is ignored', () => {
  for (const stored of [
    'nonsense',
    'null',
    '7',
    '{"theme":"pink","language":"fr","views":[{"name":1}],"hasShortcuts":"no"}',
  ])
    assert.deepEqual({ views: [], ...createPreferences(() => storageOf(stored)).read() }, { views: [] }, stored)
})

test('views are saved newest first, replaced by name, and bounded', () => {
  const first = withView([], { name: ' Errors ', query: 'outcome=failed' })
  const second = withView(first, { name: 'Slow', query: 'slow=1' })
  assert.deepEqual(
    withView(second, { name: 'Errors', query: 'x=1' }).map(({ name, query }) => [name, query]),
    [
      ['Errors', 'x=1'],
      ['Slow', 'slow=1'],
    ],
  )
  assert.deepEqual(withoutView(second, 'Slow'), first)
  assert.deepEqual(withView(first, { name: '  ', query: '' }), first)
  const many = Array.from({ length: 30 }, (_, n) => n).reduce<ReturnType<typeof withView>>(
    (views, n) => withView(views, { name: `v${n}`, query: '' }),
    [],
  )
  assert.equal(many.length, 20)
})
