// The place of a test follows from what it combines: one file or folder (beside the code), several layers in one process
// (`packages/server/test`), processes of ours (`packages/server/test/e2e`).
import { importsOf } from './source-file.ts'
import type { SourceFile, Violation } from './source-file.ts'

const TESTS = 'packages/server/test/'
/** The test of the file that puts the app together. */
const APP_TEST = 'packages/server/src/app/app.test.ts'
const STARTS_PROCESSES = /^\.\/(server-process|browser|documents\/[\w-]+)\.ts$/

export function testPlaceViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap((file) => violationsOf(file).map((what) => ({ path: file.path, what })))
}

function violationsOf(file: SourceFile): string[] {
  const { path, source } = file
  const imports = importsOf(file)
  const isEndToEnd = path.startsWith(`${TESTS}e2e/`)
  return [
    ...(isBesideCode(path) && path !== APP_TEST && /\bcreateApp\(/.test(source)
      ? [`runs the whole app: its place is ${TESTS}`]
      : []),
    ...(imports.some((request) => request.endsWith('/server-process.ts')) && !path.startsWith(TESTS)
      ? [`starts processes: its place is ${TESTS}e2e/`]
      : []),
    ...(isEndToEnd && !imports.some((request) => STARTS_PROCESSES.test(request))
      ? [`starts no process: its place is ${TESTS}`]
      : []),
    ...(isDirectlyIn(path) && imports.includes('./e2e/server-process.ts')
      ? [`starts processes: its place is ${TESTS}e2e/`]
      : []),
  ]
}

function isBesideCode(path: string): boolean {
  return /^packages\/[^/]+\/src\//.test(path)
}

function isDirectlyIn(path: string): boolean {
  return path.startsWith(TESTS) && !path.slice(TESTS.length).includes('/')
}
