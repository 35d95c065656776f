// The kept draft, with and without storage.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createDraft } from './draft.ts'

function fakeStorage(): { readonly entries: Map<string, string>; readonly storage: () => Storage } {
  const entries = new Map<string, string>()
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  }
  return { entries, storage: () => storage as Storage }
}

test('a draft is kept for its server, bounded, and removed when the field is empty', () => {
  const { entries, storage } = fakeStorage()
  const draft = createDraft('https://a.example', storage)
  draft.keep('進撃の')
  assert.equal(createDraft('https://a.example', storage).recall(), '進撃の')
  assert.equal(createDraft('https://b.example', storage).recall(), '')
  draft.keep('x'.repeat(20_000))
  assert.equal(draft.recall().length, 10_000)
  draft.keep('')
  assert.equal(entries.size, 0)
})

test('a browser that refuses storage has no draft, and no error', () => {
  const draft = createDraft('https://a.example', () => {
    throw new Error('refused')
  })
  draft.keep('x')
  assert.equal(draft.recall(), '')
})
