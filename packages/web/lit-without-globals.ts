// Lit writes to the global object of the page: a list of versions for each of its packages, and what decorators share. Our chat runs on
// other shops' pages and uses no decorators, so the build takes these lines out. A version of Lit that has other lines fails the build.
import type { Plugin } from 'vite'

interface Edit {
  readonly from: RegExp
  readonly to: string
}

const versions = (name: string): Edit => ({
  from: new RegExp(`\\(\\w+\\.${name}\\?\\?=\\[\\]\\)\\.push\\("[^"]+"\\)`),
  to: '0',
})

/** By the end of a module's path: every edit must match once. */
const edits: Readonly<Record<string, readonly Edit[]>> = {
  '/lit-html/lit-html.js': [versions('litHtmlVersions')],
  '/lit-element/lit-element.js': [versions('litElementVersions')],
  '/@lit/reactive-element/reactive-element.js': [
    versions('reactiveElementVersions'),
    // The rest of the module names the map without the global object, so it finds this one.
    {
      from: /;Symbol\.metadata\?\?=Symbol\("metadata"\),\w+\.litPropertyMetadata\?\?=new WeakMap;/,
      to: ';const litPropertyMetadata=new WeakMap;',
    },
  ],
}

/** What must not be in any built file, also when Lit has moved it to another module. */
const leftOver =
  /\b(?:litHtml|litElement|reactiveElement)Versions\b|\.litPropertyMetadata\b|Symbol\.metadata\s*(?:\?\?)?=/

export function litWithoutGlobals(): Plugin {
  return {
    name: 'lit-without-globals',
    apply: 'build',
    transform: {
      filter: { id: /\/(?:lit-html|lit-element|reactive-element)\.js$/ },
      handler: (code, id) => ({ code: withoutGlobals(code, id), map: { mappings: '' } }),
    },
    renderChunk(code, { fileName }) {
      const [found] = leftOver.exec(code) ?? []
      if (found !== undefined) throw new Error(`${fileName} writes to the page's global object: ${found}. ${advice}`)
    },
  }
}

const advice = 'Lit has changed: adapt lit-without-globals.ts.'

export function withoutGlobals(code: string, id: string): string {
  const [, own = []] = Object.entries(edits).find(([path]) => id.replaceAll('\\', '/').endsWith(path)) ?? []
  return own.reduce((rest, { from, to }) => {
    if (!from.test(rest)) throw new Error(`${id} has no ${from.source}. ${advice}`)
    return rest.replace(from, to)
  }, code)
}
