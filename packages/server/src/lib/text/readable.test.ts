// Characters in a model's text that must not be shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapedJson, readable } from './readable.ts'

test('escapes, direction overrides and hidden tags are removed; all visible text stays', () => {
  assert.equal(readable('a\u001B[31mred\u001B[0m\u0007\r\n'), 'a[31mred[0m\n')
  assert.equal(readable('\u202Egpj.exe\u2066x\u2069\u009B'), 'gpj.exex')
  assert.equal(readable('hi\u{E0068}\u{E0069}'), 'hi')
  for (const text of ['鬼滅の刃\t１巻\n', '👩‍👩‍👧', 'e\u0301', '\u200Dか\u200C', 'עברית‏', '𠮟る'])
    assert.equal(readable(text), text)
})

test('as JSON a text keeps every character, and none of them reaches the terminal', () => {
  const value = { note: 'a\u001B[2J\u009B31m\u202Eb\u{E0041}\n鬼' }
  for (const json of [escapedJson(value), escapedJson(value, 2)]) {
    assert.deepEqual(JSON.parse(json), value)
    assert.equal(readable(json), json)
  }
})
