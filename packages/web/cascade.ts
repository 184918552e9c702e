import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const sheets = fileURLToPath(new URL('src/', import.meta.url))
const orderSheet = `${sheets}styles/layers.css`

/** The layers that a sheet names, weakest first. */
export function layersOf(text: string): string[] {
  const statements = text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/@layer ([^;{]+)[;{]/g)
  return [...statements].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
}

const order = () => layersOf(readFileSync(orderSheet, 'utf8'))

/**
 * Puts each sheet of src into the cascade layer of its name. Which sheet a browser gets first depends on the
 * page it came by: without layers, that would decide which rule wins.
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
      // After every plugin that writes pages.
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        const html = page?.type === 'asset' ? String(page.source) : ''
        const first = /<link rel="stylesheet"[^>]* href="\/([^"]+)"/.exec(html)?.[1] ?? ''
        const sheet = bundle[first]
        const named = sheet?.type === 'asset' ? layersOf(String(sheet.source)) : []
        // Every page loads this one before any other, the landing page within its own.
        if (named.join() !== order().join()) this.error('The first style sheet of index.html does not name the layers.')
      },
    },
  }
}
