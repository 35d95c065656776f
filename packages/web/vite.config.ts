// One `vite build` makes three builds in `dist`, which the server serves unchanged: the shop's pages and the operator's console
// with hashed assets, and `widget.js` as one classic script under a fixed name. They share no chunk: a shopper loads nothing of
// the console. Nothing is inlined: the pages' Content-Security-Policy allows
// no inline script or style, and no `data:` addresses.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const dist = fileURLToPath(new URL('dist/', import.meta.url))

export default defineConfig({
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
          input: fileURLToPath(new URL('console.html', import.meta.url)),
          output: { chunkFileNames: 'assets/console-[name]-[hash].js' },
        },
      },
    },
    widget: {
      consumer: 'client',
      build: {
        copyPublicDir: false,
        rolldownOptions: {
          input: fileURLToPath(new URL('src/widget.ts', import.meta.url)),
          output: { format: 'iife', entryFileNames: 'widget.js' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      rmSync(dist, { recursive: true, force: true })
      const { client, console, widget } = builder.environments
      if (client === undefined || console === undefined || widget === undefined)
        throw new Error('An environment to build is missing.')
      await Promise.all([builder.build(client), builder.build(console), builder.build(widget)])
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
    `  widget.js   ${weigh(['widget.js'])}\n`,
  ].join('\n')
}

function weigh(names: string[]): string {
  const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(dist + name)).length, 0)
  return `${(bytes / 1024).toFixed(1)} KB`
}
