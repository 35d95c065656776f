// What becomes a link and what stays text.
import assert from 'node:assert/strict'
import test from 'node:test'
import { answerLink, leadsAway, productLink } from './links.ts'

const policy = { base: 'https://shop.example', hosts: ['shop.example'] }

test('addresses of the shop become links, relative ones as the shop’s own', () => {
  assert.equal(answerLink('/series/akira', policy), 'https://shop.example/series/akira')
  assert.equal(answerLink('https://shop.example/support#faq', policy), 'https://shop.example/support#faq')
})

test('addresses of others, and what is no web address, do not', () => {
  const refused = [
    'https://evil.example/',
    '//evil.example/x',
    '\\\\evil.example\\x',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://user:secret@shop.example/',
    'https://shop.example:8443/',
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox',
    'file:///etc/passwd',
    'mailto:a@shop.example',
    'blob:https://shop.example/1',
    'http://[',
  ]
  for (const href of refused) assert.equal(answerLink(href, policy), undefined, href)
})

test('a product may be on any host of the web, and nowhere else', () => {
  assert.equal(productLink('https://books.example/1', policy), 'https://books.example/1')
  assert.equal(productLink('javascript:alert(1)', policy), undefined)
})

test('what leads to another origin leads away', () => {
  assert.equal(leadsAway('https://shop.example/series/akira', 'https://shop.example'), false)
  assert.equal(leadsAway('https://shop.example/series/akira', 'https://blog.example'), true)
})
