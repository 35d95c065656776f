// Parses server-sent events, wherever the network cuts them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SseReader } from './sse.ts'

test('the same events result wherever a body is cut', () => {
  const line = fc.string({ minLength: 1 }).map((text) => text.replaceAll(/[\r\n]/g, ' '))
  const event = fc.array(line, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(event), fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 9 }), (events, eol, step) => {
      const body = events.map((lines) => lines.map((text) => `data: ${text}${eol}`).join('') + eol).join('')
      const [reader, out] = [new SseReader(), [] as string[]]
      for (let at = 0; at < body.length; at += step) reader.read(body.slice(at, at + step), out)
      reader.end(out)
      assert.deepEqual(
        out,
        events.map((lines) => lines.join('\n')),
      )
    }),
  )
})

test('an event that never ends is refused before it fills the memory', () => {
  const reader = new SseReader()
  assert.throws(() => {
    for (let chunk = 0; chunk < 100; chunk += 1) reader.read(`data: ${'x'.repeat(100_000)}`, [])
  })
})
