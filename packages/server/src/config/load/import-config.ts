// Imports `mangaassist.config.ts` as an ES module, whatever the package.json beside it says: `npm init` writes `"type":
// "commonjs"`, with which the `import` in the file would be a syntax error. The file is a program, so its time is
// bounded, and it cannot end the process.
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Timers } from '#lib/time/timers.ts'

export type ImportClock = Timers

/** Thrown for a file that does not finish. */
export class UnfinishedConfig extends Error {}

const IMPORT_MS_MAX = 10_000

export async function importConfig(path: string, clock: ImportClock): Promise<{ readonly default?: unknown }> {
  const { href } = pathToFileURL(path)
  const hooks = registerHooks({
    load: (url, context, next) => next(url, url === href ? { ...context, format: 'module-typescript' } : context),
  })
  const late = Promise.withResolvers<never>()
  const message = `the file has not ended after ${IMPORT_MS_MAX / 1000} s: it awaits something that never happens`
  using _timer = clock.after(IMPORT_MS_MAX, () => late.reject(new UnfinishedConfig(message)))
  using _exit = withoutExit()
  try {
    return await Promise.race([import(href) as Promise<{ readonly default?: unknown }>, late.promise])
  } finally {
    hooks.deregister()
  }
}

/** An exit inside the file would end `doctor` successfully without any output. */
function withoutExit(): Disposable {
  const { exit } = process
  process.exit = (): never => {
    throw new UnfinishedConfig('the file calls process.exit')
  }
  return { [Symbol.dispose]: () => void (process.exit = exit) }
}
