// The build takes out what Lit writes to the global object, and refuses a Lit that writes it in another way.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { withoutGlobals } from '../lit-without-globals.ts'

const modules = ['lit-html/lit-html', 'lit-element/lit-element', '@lit/reactive-element/reactive-element'].map(
  (name) => {
    const path = fileURLToPath(new URL(`../../../node_modules/${name}.js`, import.meta.url))
    return { name, path, code: readFileSync(path, 'utf8') }
  },
)
const writing = /Versions\?\?=|litPropertyMetadata\?\?=|Symbol\.metadata\?\?=/

test('the installed Lit writes globals, and none after the edit', () => {
  for (const { name, path, code } of modules) {
    assert.match(code, writing, name)
    assert.doesNotMatch(withoutGlobals(code, path), writing, name)
  }
})

test('a Lit whose lines have changed fails the build', () => {
  for (const { path, code } of modules)
    assert.throws(() => withoutGlobals(code.replace('Versions??=', 'Releases??='), path), /Lit has changed/)
})

test('other modules stay as they are', () => {
  assert.equal(
    withoutGlobals('(g.litHtmlVersions??=[]).push("1")', '/shop/lit-html.js'),
    '(g.litHtmlVersions??=[]).push("1")',
  )
})
