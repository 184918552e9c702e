import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const sheets = fileURLToPath(new URL('src/', import.meta.url))
const orderSheet = `${sheets}styles/layers.css`

/** Names of the cascade layers declared in a style sheet, weakest first. */
export function layersOf(text: string): string[] {
  const statements = text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/@layer ([^;{]+)[;{]/g)
  return [...statements].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
}

const order = () => layersOf(readFileSync(orderSheet, 'utf8'))

/**
 * Wraps each style sheet of src in the cascade layer named after the file. Browsers load sheets in an order that
 * depends on the page they started from; without layers, that order would decide which rule wins.
 */
export function cascade(): Plugin {
  return {
    name: 'cascade',
    enforce: 'pre',
    transform(code, id) {
      const [path = ''] = id.split('?')
      if (!path.startsWith(sheets) || !path.endsWith('.css') || path === orderSheet) return undefined
      const name = basename(path, '.css')
      if (!order().includes(name))
        this.error(`src/styles/layers.css names no layer ${name}: say what ${name}.css wins over.`)
      return { code: `@layer ${name} {\n${code}\n}`, map: null }
    },
    generateBundle: {
      // Runs after every plugin that writes HTML pages.
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        const html = page?.type === 'asset' ? String(page.source) : ''
        const first = /<link rel="stylesheet"[^>]* href="\/([^"]+)"/.exec(html)?.[1] ?? ''
        const sheet = bundle[first]
        const named = sheet?.type === 'asset' ? layersOf(String(sheet.source)) : []
        // Every page loads this sheet first, so it must declare all layers. The landing page joins it into its own.
        if (named.join() !== order().join()) this.error('The first style sheet of index.html does not name the layers.')
      },
    },
  }
}
