// Imports `mangaassist.config.ts` as an ES module, whatever the package.json beside it says: `npm init` writes
// `"type": "commonjs"`, and the `import` of a configuration would be a syntax error there.
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

export async function importConfig(path: string): Promise<{ readonly default?: unknown }> {
  const { href } = pathToFileURL(path)
  const hooks = registerHooks({
    load: (url, context, next) => next(url, url === href ? { ...context, format: 'module-typescript' } : context),
  })
  try {
    return (await import(href)) as { readonly default?: unknown }
  } finally {
    hooks.deregister()
  }
}
