// The path of the support page in an FAQ answer leads to the contact, and the rest of the answer stays text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withContactLinks } from './contact-links.ts'

const link = (words: string): string => `<a href="#contact-title">${words}</a>`

test('the words before a path in brackets are the link, in both languages', () => {
  assert.equal(
    withContactLinks('注文番号を添えてサポート窓口（/support）へどうぞ。').text,
    `注文番号を添えて${link('サポート窓口')}へどうぞ。`,
  )
  assert.equal(
    withContactLinks('Write to support (/support), or see the support page (/support).').text,
    `Write to ${link('support')}, or see the ${link('support page')}.`,
  )
})

test('a path alone is a link, other paths are text, and markup is escaped', () => {
  assert.equal(withContactLinks('Tell us through /support.').text, `Tell us through ${link('/support')}.`)
  assert.equal(withContactLinks('/supporters, /support/x').text, '/supporters, /support/x')
  assert.equal(withContactLinks('<b>1</b>').text, '&lt;b&gt;1&lt;/b&gt;')
})
