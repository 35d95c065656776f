// The support page in texts of the FAQ.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSupportLinks } from './link.ts'

test('the address of the support page becomes a link with words', () => {
  for (const [text, linked] of [
    ['サポート窓口（/support）へどうぞ。', '[サポート窓口](/support)へどうぞ。'],
    ['サポートページ（/support）から', '[サポートページ](/support)から'],
    ['お問い合わせは /support へ', 'お問い合わせは [サポート窓口](/support) へ'],
    ['write to support (/support) with it', 'write to [support](/support) with it'],
    ['through the support page at /support.', 'through the [support page](/support).'],
    ['Tell us at /support what came', 'Tell us at [our support page](/support) what came'],
  ] as const)
    assert.equal(withSupportLinks(text), linked)
})

test('a link stays as it is, and other addresses are left alone', () => {
  for (const text of ['see [support](/support).', 'example.com/support', '/support/tickets'])
    assert.equal(withSupportLinks(text), text)
})
