// Text in a template stays text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attribute, dataBlock, html } from './html.ts'

test('texts and numbers are escaped, markup and lists of it are not', () => {
  const hostile = `<img src=x onerror="alert('1')">&`
  const shown = html`<p title="${hostile}">${hostile}${html`<b>${1}</b>`}${['a', html`<i></i>`, undefined, false]}</p>`
  const text = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;'
  assert.equal(shown.text, `<p title="${text}">${text}<b>1</b>a<i></i></p>`)
})

test('an attribute is left out, has no value, or is quoted', () => {
  assert.equal(
    html`<a${attribute('x', undefined)}${attribute('y', true)}${attribute('z', '"')}>`.text,
    '<a y z="&quot;">',
  )
})

test('no text can end a block of data', () => {
  const block = dataBlock('application/ld+json', { name: '</script><script>alert(1)</script>' }).text
  assert.equal(block.match(/<\/script>/g)?.length, 1)
  assert.deepEqual(JSON.parse(block.replace(/^<script[^>]*>|<\/script>$/g, '')), {
    name: '</script><script>alert(1)</script>',
  })
})
