import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { cascade } from './cascade.ts'
import { chunks } from './chunks.ts'
import { directImports } from './directImports.ts'
import { pdfAssets } from './pdfAssets.ts'
import { prerenderLanding } from './prerenderLanding.ts'
import { serviceWorker } from './serviceWorker/plugin.ts'
import { withoutApiDescription } from './withoutApiDescription.ts'

/** Preloads the font of every first screen by its hashed name. */
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

/** Writes the product's message lifetime into index.html; a server with a shorter one replaces it (landingPage.ts). */
function writeLifetime(): Plugin {
  const lifetime = durationWords(limits.retention, 'en')
  return { name: 'write-lifetime', transformIndexHtml: (html) => html.replaceAll('{lifetime}', lifetime) }
}

const server = 'http://127.0.0.1:3000'

/** Options that determine the modules, shared with the first pass of chunks.ts. */
const code = () => ({
  plugins: [react(), directImports(), withoutApiDescription()],
  resolve: {
    // Radix's scroll lock inserts a <style> element, which the Content-Security-Policy refuses.
    alias: { 'react-remove-scroll': fileURLToPath(new URL('src/ui/dialog/scrollLock.tsx', import.meta.url)) },
  },
})
// Two applications, so that the members' code never contains the console.
const input = ['index.html', 'founder.html'].map((page) => fileURLToPath(new URL(page, import.meta.url)))
const worker = { format: 'es' as const }

export default defineConfig({
  ...code(),
  plugins: [
    cascade(),
    ...code().plugins,
    chunks({ ...code(), worker, build: { rolldownOptions: { input } } }),
    preloadInterfaceFont(),
    writeLifetime(),
    prerenderLanding(),
    pdfAssets(),
    serviceWorker(),
  ],
  build: {
    manifest: true,
    // Do not inline assets: the Content-Security-Policy does not allow data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // An older target would rewrite light-dark() of palette.css, which breaks themes inside themes.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    rolldownOptions: { input },
  },
  worker: {
    ...worker,
    // One script per worker: a second one could be missing after a new build.
    rolldownOptions: { output: { entryFileNames: 'assets/[name].worker-[hash].js', codeSplitting: false } },
  },
  server: {
    proxy: {
      '/api': { target: server },
      '/objects': { target: server },
      '/ws': { target: server, ws: true },
    },
  },
})
