import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { cascade } from './cascade.ts'
import { chunks } from './chunks.ts'
import { directImports } from './directImports.ts'
import { prerenderLanding } from './prerenderLanding.ts'
import { serviceWorker } from './serviceWorker/plugin.ts'
import { withoutJsonSchema } from './withoutJsonSchema.ts'

/** Preloads the one font that every first screen shows, under its hashed name. */
function preloadInterfaceFont(): Plugin {
  return {
    name: 'preload-interface-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /public-sans-latin-wght-normal.*\.woff2$/.test(name))
        if (!file) return []
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head' as const }]
      },
    },
  }
}

const server = 'http://127.0.0.1:3000'

/** What decides which code there is: also for the first pass of chunks.ts. */
const code = () => ({
  plugins: [react(), directImports(), withoutJsonSchema()],
  resolve: {
    // Radix's scroll lock writes a <style> element, which the Content-Security-Policy refuses.
    alias: { 'react-remove-scroll': fileURLToPath(new URL('src/ui/dialog/scrollLock.tsx', import.meta.url)) },
  },
})
// Two applications: members' code never ships the console.
const input = ['index.html', 'founder.html'].map((page) => fileURLToPath(new URL(page, import.meta.url)))
const worker = { format: 'es' as const }

export default defineConfig({
  ...code(),
  plugins: [
    cascade(),
    ...code().plugins,
    chunks({ ...code(), worker, build: { rolldownOptions: { input } } }),
    preloadInterfaceFont(),
    prerenderLanding(),
    serviceWorker(),
  ],
  build: {
    manifest: true,
    // data: addresses would need a hole in the Content-Security-Policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input },
  },
  worker: {
    ...worker,
    rolldownOptions: { output: { entryFileNames: 'assets/[name].worker-[hash].js' } },
  },
  server: {
    proxy: {
      '/api': { target: server },
      '/objects': { target: server },
      '/ws': { target: server, ws: true },
    },
  },
})
