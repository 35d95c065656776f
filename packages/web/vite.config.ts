// Builds the pages into `dist`, which the server serves as they are. Nothing is inlined: the pages run under a
// Content-Security-Policy that allows no inline script or style, and no data: addresses.
import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: true,
  },
  // For working on the pages: `npx vite` here, beside a server on its default port.
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8080',
      '/ws': { target: 'ws://127.0.0.1:8080', ws: true },
    },
  },
})
