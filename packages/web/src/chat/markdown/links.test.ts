// Which addresses become links, and which stay text.
import assert from 'node:assert/strict'
import test from 'node:test'
import { answerLink, isExternal, productLink } from './links.ts'

const policy = { base: 'https://shop.example', hosts: ['shop.example'], language: 'ja' as const }

test('addresses on allowed hosts become links; relative ones are resolved against the shop', () => {
  assert.equal(answerLink('/series/akira', policy), 'https://shop.example/series/akira')
  assert.equal(answerLink('https://shop.example/support#faq', policy), 'https://shop.example/support#faq')
})

test('pages of the shop are linked in the language of the interface', () => {
  const english = { ...policy, hosts: ['shop.example', 'other.example'], language: 'en' as const }
  const pages = ['/series/akira?x=1#y', '/support#returns', 'https://shop.example/series/akira', '/']
  assert.deepEqual(
    pages.map((href) => answerLink(href, english)),
    ['/en/series/akira?x=1#y', '/en/support#returns', '/en/series/akira', '/en/'].map(
      (path) => `https://shop.example${path}`,
    ),
  )
  const others = ['/en/series/akira', '/supporters', '/api/series/x', 'https://other.example/series/akira']
  for (const href of others) assert.equal(answerLink(href, english), new URL(href, policy.base).href)
  assert.equal(productLink('/series/akira', english), 'https://shop.example/en/series/akira')
  assert.equal(productLink('https://books.example/series/1', english), 'https://books.example/series/1')
})

test('addresses on other hosts, and addresses that are not http(s), do not become links', () => {
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

test('a product link may have any host, but only http(s)', () => {
  assert.equal(productLink('https://books.example/1', policy), 'https://books.example/1')
  assert.equal(productLink('javascript:alert(1)', policy), undefined)
})

test('an address with another origin than the page is external', () => {
  assert.equal(isExternal('https://shop.example/series/akira', 'https://shop.example'), false)
  assert.equal(isExternal('https://shop.example/series/akira', 'https://blog.example'), true)
})
