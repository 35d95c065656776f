// The language of a visit: by the address, except for a visitor of `/` from outside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideLanguage } from './language-choice.ts'
import type { LanguageVisit } from './language-choice.ts'

const visit = (over: Partial<LanguageVisit>): LanguageVisit => ({
  language: 'ja',
  isHome: true,
  headers: {},
  chosen: undefined,
  host: 'shop.example',
  secure: true,
  ...over,
})
const english = { 'accept-language': 'en-GB,en;q=0.9' }

test('an English reader who comes to the home page is sent to the English one, and to no other page', () => {
  assert.deepEqual(decideLanguage(visit({ headers: english })), { redirect: true })
  assert.deepEqual(decideLanguage(visit({ headers: english, isHome: false })), { redirect: false })
  assert.deepEqual(decideLanguage(visit({ headers: { 'accept-language': 'en;q=0.5,ja' } })), { redirect: false })
})

test('a crawler, and a reader of another language, gets the page that was asked for', () => {
  assert.deepEqual(decideLanguage(visit({})), { redirect: false })
  assert.deepEqual(decideLanguage(visit({ headers: { 'accept-language': 'fr' } })), { redirect: false })
  assert.deepEqual(decideLanguage(visit({ language: 'en' })), { redirect: false })
})

test('a link inside the shop is a choice that is remembered, also in a browser without fetch metadata', () => {
  for (const inside of [{ 'sec-fetch-site': 'same-origin' }, { referer: 'https://shop.example/en/' }]) {
    const { cookie, redirect } = decideLanguage(visit({ headers: { ...english, ...inside } }))
    assert.equal(redirect, false)
    assert.match(cookie ?? '', /^ma_lang=ja; Path=\/; Max-Age=\d+; SameSite=Lax; HttpOnly; Secure$/)
  }
  const elsewhere = { ...english, referer: 'https://search.example/' }
  assert.deepEqual(decideLanguage(visit({ headers: elsewhere })), { redirect: true })
})

test('a remembered choice decides before the browser does', () => {
  assert.deepEqual(decideLanguage(visit({ headers: english, chosen: 'ja' })), { redirect: false })
  assert.deepEqual(decideLanguage(visit({ headers: { 'accept-language': 'ja' }, chosen: 'en' })), { redirect: true })
  assert.deepEqual(decideLanguage(visit({ headers: english, chosen: 'nonsense' })), { redirect: true })
})
