// A temporary workspace that a test may damage: the data files that a server reads, a page, and a link to the package.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { bundled } from '#config/installation.ts'

const repository = resolve(import.meta.dirname, '../../../../..')
const DATA_FILES = [
  'bundled-turns.csv',
  'catalogue.jsonl',
  'faq.yaml',
  'models.yaml',
  'prompts/bookseller.en.md',
  'prompts/bookseller.ja.md',
  'understanding/complexity.bin',
  'understanding/faq.bin',
  'understanding/weights.bin',
  'vectors/words.bin',
]

/** A copy of the original paths: an earlier call in the same test has changed `bundled`. */
const installed = { ...bundled }

export function tempWorkspace(context: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'mangaassist-workspace-'))
  context.after(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of [
    'data/prompts',
    'data/understanding',
    'data/vectors',
    'packages/web/dist',
    'node_modules/@mangaassist',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  for (const name of DATA_FILES) copyFileSync(join(repository, 'data', name), join(root, 'data', name))
  symlinkSync(join(repository, 'packages/server'), join(root, 'node_modules/@mangaassist/server'), 'junction')
  const all = { 'package.json': '{ "type": "module" }', 'packages/web/dist/index.html': '<!doctype html>', ...files }
  Object.assign(bundled, { data: join(root, 'data'), web: join(root, 'packages/web/dist') })
  context.after(() => void Object.assign(bundled, installed))
  for (const [name, text] of Object.entries(all)) writeFileSync(join(root, name), text)
  return root
}
