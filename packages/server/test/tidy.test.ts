// Style as a test: the sources of the workspace follow the rules in `tidy/`.
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { errorCatalogue } from '@mangaassist/protocol'
import { bannedGlobalViolations } from './tidy/banned-globals.ts'
import { anchorsOf, documentLinkViolations, linksOf } from './tidy/document-links.ts'
import { documentPathViolations } from './tidy/document-paths.ts'
import { errorTableProblems } from './tidy/error-table.ts'
import { contractViolations, fileViolations } from './tidy/house-rules.ts'
import { cycleViolations, importViolations } from './tidy/import-law.ts'
import { languageViolations } from './tidy/language-rules.ts'
import { exportedNameViolations, fileNameViolations } from './tidy/name-rules.ts'
import { readSources } from './tidy/source-file.ts'
import type { Violation } from './tidy/source-file.ts'
import { testPlaceViolations } from './tidy/test-places.ts'
import { exemptFiles, waitViolations } from './tidy/wait-rules.ts'

const workspaceRoot = resolve(import.meta.dirname, '../../..')
const folders = ['packages', 'scripts', 'bench'].filter((folder) => existsSync(join(workspaceRoot, folder)))
const files = readSources(workspaceRoot, folders)

function assertNone(violations: readonly Violation[]): void {
  assert.equal(violations.map(({ path, what }) => `${path} ${what}`).join('\n'), '')
}

test('the sources were found', () => {
  assert.ok(files.some(({ path }) => path === 'packages/server/src/config/config.ts'))
})

test('imports follow the import law', () => assertNone(importViolations(files)))
test('there are no import cycles', () => assertNone(cycleViolations(files)))
test('time, random numbers and ids come from ports', () => assertNone(bannedGlobalViolations(files)))
test('every test is in the place that follows from what it combines', () => assertNone(testPlaceViolations(files)))
test('tests wait in virtual time, for events or with a bound', () => assertNone(waitViolations(files)))
test('every exemption from the rule of waits names a file', () => {
  const paths = new Set(files.map(({ path }) => path))
  assert.deepEqual(
    exemptFiles.filter((path) => !paths.has(path)),
    [],
  )
})
test('every port has a contract, and every adapter runs it', () => assertNone(contractViolations(files)))
test('every file has a purpose and a kebab-case name', () => assertNone(fileViolations(files)))

test('no name is exported by two files of a layer', () => assertNone(exportedNameViolations(files)))
test('no two files of a layer have names that differ only by hyphens', () => assertNone(fileNameViolations(files)))

test('comments, test names and names have no word of the list in tidy/language-rules.ts', () =>
  assertNone(languageViolations(files)))

test('the source files that the documents name exist', () => {
  const docs = readdirSync(join(workspaceRoot, 'docs')).filter((name) => name.endsWith('.md'))
  const paths = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)]
  const documents = paths.map((path) => ({ path, text: readFileSync(join(workspaceRoot, path), 'utf8') }))
  assertNone(documentPathViolations(documents, files))
})

test('links of the documents lead to files and headings that exist', () => {
  const pages = globSync(
    ['*.md', 'docs/**/*.md', 'bench/*.md', 'packages/*/*.md', 'packages/bookseller/{evaluation,training}/**/*.md'],
    {
      cwd: workspaceRoot,
    },
  )
  assert.ok(pages.length > 100)
  assertNone(documentLinkViolations(workspaceRoot, pages))
})

test('links and anchors are read as GitHub reads them', () => {
  assert.deepEqual(linksOf('[a](b.md#c) `[x](y.md)` [w](https://e.example)\n```text\n[n](o.md)\n```\n![p](q.png)'), [
    'b.md#c',
    'q.png',
  ])
  assert.deepEqual(anchorsOf('# A node: `npm run chaos`, twice\n## 目次 1\n## 目次 1\n'), [
    'a-node-npm-run-chaos-twice',
    '目次-1',
    '目次-1-1',
  ])
})

test('the glossary defines each term once', () => {
  const rows = readFileSync(join(workspaceRoot, 'docs/glossary.md'), 'utf8').matchAll(/^\| (?<terms>\*\*.*?) \|/gm)
  const terms = [...rows].flatMap(({ groups }) => [...(groups?.['terms'] ?? '').matchAll(/\*\*(?<term>[^*]+)\*\*/g)])
  const names = terms.map(({ groups }) => groups?.['term'] ?? '')
  assert.ok(names.length > 100)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

test('docs/errors.md and the error catalogue agree', () => {
  const markdown = readFileSync(join(workspaceRoot, 'docs/errors.md'), 'utf8')
  assert.deepEqual(errorTableProblems(markdown, errorCatalogue), [])
})
