// The table of vendors: the compiler keeps it complete, and it agrees with the documented one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { Provider } from '#config/schema/model.ts'
import { readModelBook } from './model-facts.ts'
import type { Vendor } from './vendor.ts'
import { VENDORS } from './vendors.ts'

const guide = readFileSync(resolve(import.meta.dirname, '../../../../../docs/models.md'), 'utf8')
const table = guide.split('\n').filter((line) => line.startsWith('| `'))

test('docs/models.md names every provider with its package and the variable of its key', () => {
  for (const [provider, vendor] of Object.entries(VENDORS)) {
    const row = table.find((line) => line.split('|')[1]?.includes(`\`${provider}\``))
    assert.ok(row !== undefined, provider)
    if (vendor.kind === 'built-in') continue
    if (vendor.package !== undefined) assert.ok(row.includes(`\`${vendor.package}\``), vendor.package)
    const variable = vendor.credentials.kind === 'aws' ? 'AWS_ACCESS_KEY_ID' : vendor.credentials.variables[0]
    assert.ok(row.includes(variable === undefined ? '`apiKeyEnv`' : `\`${variable}\``), variable)
  }
})

test('every model of data/models.yaml has a vendor that needs only the model’s id', async () => {
  for (const { id, vendor: provider } of (await readModelBook()).known) {
    const vendor = VENDORS[provider]
    assert.equal(vendor.kind, 'remote', id)
    const isUsual =
      vendor.kind === 'remote' && (vendor.credentials.kind === 'aws' || vendor.credentials.variables.length > 0)
    assert.ok(isUsual, `${id}: ${provider} has no credentials of its own`)
  }
})

test('a provider without a row does not compile', () => {
  const { mistral: _, ...others } = VENDORS
  // @ts-expect-error: a row is missing.
  const incomplete: Record<Provider, Vendor> = others
  assert.equal('mistral' in incomplete, false)
})
