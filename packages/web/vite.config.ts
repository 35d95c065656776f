// One `vite build` makes six builds in `dist`, which the server serves unchanged: the shop's pages and the operator's console
// with hashed assets; the widget's panel, and its element for a page with the chat in a frame, as modules with hashed names in `widget/`;
// and `widget.js` as one classic script under a fixed name and a hashed one, which knows theirs; and `widget-framed.js` for the chat in a frame. Pages, console and widget share no chunk: a shopper loads nothing of the
// console. Nothing is inlined: the pages' Content-Security-Policy allows no inline script or style, and no `data:` addresses.
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { litWithoutGlobals } from './lit-without-globals.ts'
import { moduleGraph } from './module-graph.ts'
import { partsContract } from './src/chat/later/parts-contract.ts'
import type { Manifest, PartName } from './src/chat/shell/current-build.ts'
import { panelContract } from './src/chat/shell/panel-contract.ts'
import type { FileAddress, ModuleAddress } from './src/module-address.ts'

const dist = fileURLToPath(new URL('dist/', import.meta.url))

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  plugins: [moduleAddressPlugin(), stylesPlugin(), lexerPlugin(), litWithoutGlobals(), firstPaintPlugin()],
  // We print the compressed sizes at the end instead of Vite's list of files.
  logLevel: 'warn',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: true,
    emptyOutDir: false,
  },
  environments: {
    client: {},
    console: {
      consumer: 'client',
      build: {
        copyPublicDir: false,
        rolldownOptions: {
          input: source('console.html'),
          output: { chunkFileNames: 'assets/console-[name]-[hash].js' },
        },
      },
    },
    panel: {
      consumer: 'client',
      build: {
        copyPublicDir: false,
        // A preload would look for the chunks on the host page's own origin.
        modulePreload: false,
        // Other modules import it, so its exports stay.
        rolldownOptions: {
          input: { panel: source('src/chat/chat-panel.ts') },
          preserveEntrySignatures: 'exports-only',
          output: {
            format: 'es',
            entryFileNames: 'widget/panel-[hash].js',
            chunkFileNames: 'widget/[name]-[hash].js',
          },
        },
      },
    },
    frame: {
      consumer: 'client',
      build: {
        copyPublicDir: false,
        modulePreload: false,
        rolldownOptions: {
          input: { frame: source('src/chat/shell/frame-element.ts') },
          preserveEntrySignatures: 'exports-only',
          output: { format: 'es', entryFileNames: 'widget/frame-[hash].js' },
        },
      },
    },
    widget: {
      consumer: 'client',
      build: {
        copyPublicDir: false,
        // As a library: a page's build would add its own preloads to the widget's import.
        lib: { entry: source('src/widget.ts'), formats: ['iife'], name: 'widget', fileName: () => 'widget.js' },
      },
    },
    framed: {
      consumer: 'client',
      build: {
        copyPublicDir: false,
        lib: {
          entry: source('src/widget-framed.ts'),
          formats: ['iife'],
          name: 'widget',
          fileName: () => 'widget-framed.js',
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      rmSync(dist, { recursive: true, force: true })
      const { client, console, frame, framed, panel, widget } = builder.environments
      if (!client || !console || !frame || !framed || !panel || !widget)
        throw new Error('An environment to build is missing.')
      await Promise.all([client, console, frame, panel].map((environment) => builder.build(environment)))
      // After the modules, whose addresses are in it.
      await Promise.all([builder.build(widget), builder.build(framed)])
      versionWidget()
      process.stdout.write(weights())
      compress()
    },
  },
  // For development: run `npx vite` here, beside a server on its default port.
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8080',
      '/ws': { target: 'ws://127.0.0.1:8080', ws: true },
    },
  },
})

/** Takes indentation and line breaks out of styles in template literals, which the minifier leaves as they are. */
function stylesPlugin(): Plugin {
  return {
    name: 'minify-styles',
    apply: 'build',
    transform: {
      filter: { id: /styles\.ts$/ },
      handler: (code) => ({ code: code.replace(/`[^`$]*`/gu, minifyCss), map: { mappings: '' } }),
    },
  }
}

/**
 * Only the lexer of marked is used. The module ends with a function whose properties keep its renderers and parser alive; without
 * that part they are dropped.
 */
function lexerPlugin(): Plugin {
  return {
    name: 'lexer-only',
    apply: 'build',
    transform: {
      filter: { id: /marked\.esm\.js$/ },
      handler(code) {
        const start = /var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/.exec(code)?.index
        const [, list] = /export\{([^}]*)\};?/.exec(code.slice(start)) ?? []
        if (start === undefined || list === undefined) throw new Error('marked has changed: adapt lexerPlugin.')
        const kept = list.split(',').filter((name) => / as (?:Lexer|Tokenizer)$/.test(name))
        return { code: `${code.slice(0, start)}export{${kept.join(',')}};`, map: { mappings: '' } }
      },
    },
  }
}

/** The shop's script runs before the first paint, since it keeps the room of an open chat; Vite drops the attribute from the page. */
function firstPaintPlugin(): Plugin {
  return {
    name: 'script-before-paint',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
    },
  }
}

function minifyCss(css: string): string {
  return css
    .replace(/\/\*[^]*?\*\//gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/ ?([{};,]) ?/gu, '$1')
    .replace(/: /gu, ':')
}

/** Writes the addresses of the built modules into the widget. */
function moduleAddressPlugin(): Plugin {
  return {
    name: 'module-address',
    applyToEnvironment: ({ name }) => name === 'widget' || name === 'framed',
    load(id) {
      if (this.environment.mode !== 'build' || id !== source('src/module-address.ts')) return null
      const [panel, frame] = [builtModule('panel'), builtModule('frame')].map((address) => JSON.stringify(address))
      return `export const panelAddress = ${panel}; export const frameAddress = ${frame}`
    },
  }
}

/** The hashed file of the panel, of the element of a frame, or of a module that the panel loads later, with everything that it imports. */
function builtModule(kind: 'panel' | 'frame' | PartName): ModuleAddress {
  const [name, ...others] = readdirSync(`${dist}widget`).filter((file) => new RegExp(`^${kind}-[^.]+\\.js$`).test(file))
  if (name === undefined || others.length > 0) throw new Error(`There is not one file of ${kind}.`)
  const [entry, ...imports] = moduleGraph(dist, `widget/${name}`).map((path) => ({
    path: `/${path}`,
    integrity: integrityOf(path),
  }))
  if (entry === undefined) throw new Error(`${kind} has no modules.`)
  return { ...entry, imports }
}

/** Subresource Integrity of a file. */
function integrityOf(name: string): string {
  return `sha384-${createHash('sha384')
    .update(readFileSync(dist + name))
    .digest('base64')}`
}

/** The script under the name of its content, for pages that pin it, and where to read the current names. */
function versionWidget(): void {
  const hash = createHash('sha256')
    .update(readFileSync(`${dist}widget.js`))
    .digest('hex')
    .slice(0, 16)
  copyFileSync(`${dist}widget.js`, `${dist}widget/${hash}.js`)
  copyFileSync(`${dist}widget.js.map`, `${dist}widget/widget.js.map`)
  const script = { path: `/widget/${hash}.js`, integrity: integrityOf('widget.js') }
  const manifest: Manifest & { readonly script: FileAddress } = {
    contract: panelContract,
    script,
    panel: builtModule('panel'),
    parts: { contract: partsContract, ended: builtModule('ended'), history: builtModule('history') },
  }
  writeFileSync(`${dist}widget.json`, `${JSON.stringify(manifest)}\n`)
}

/** Compresses once here instead of at every request; the server sends the encoding that the browser accepts. */
function compress(): void {
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|css|html|svg)$/u.test(name)) continue
    const content = readFileSync(dist + name)
    writeFileSync(`${dist}${name}.br`, brotliCompressSync(content))
    writeFileSync(`${dist}${name}.gz`, gzipSync(content))
  }
}

/** The compressed sizes of what a browser has to load. */
function weights(): string {
  const assets = readdirSync(`${dist}assets`).map((name) => `assets/${name}`)
  const ofConsole = (name: string): boolean => name.startsWith('assets/console-')
  const line = (names: readonly string[]): string => {
    const ending = (end: string): string[] => names.filter((name) => name.endsWith(end))
    return `${weigh(ending('.js'))} of JavaScript in all, ${weigh(ending('.css'))} of styles`
  }
  return [
    'Weight, compressed (gzip):',
    `  storefront  ${line(assets.filter((name) => !ofConsole(name)))}`,
    `  console     ${line(assets.filter(ofConsole))}`,
    `  widget      ${weigh(['widget.js'])} until the launcher stands, ${weigh(['widget.js', ...moduleGraph(dist, builtModule('panel').path.slice(1))])} until the first answer streams\n`,
  ].join('\n')
}

function weigh(names: string[]): string {
  const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(dist + name)).length, 0)
  return `${(bytes / 1024).toFixed(1)} KB`
}
