import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Plugin, type Rolldown, transformWithOxc } from 'vite'

/** Files of public/ that are copied unchanged and so are not in the bundle. */
const copied = ['theme.js', 'mark.svg', 'manifest.webmanifest']
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Code and styles of all member screens and the main fonts, without the console, password words and PDF code. */
function isShell({ fileName }: { fileName: string }): boolean {
  if (/founder|zxcvbn|language-|pdf/i.test(fileName)) return false
  return /\.(js|css)$/.test(fileName) || /-latin-wght-(normal|italic).*\.woff2$/.test(fileName)
}

const textOf = (file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): string =>
  file === undefined ? '' : String(file.type === 'asset' ? file.source : file.code)

/** Emits sw.js with the list of files to cache. The list and a hash make each build a new service worker. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    // Runs after every plugin that writes HTML pages.
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = textOf(bundle['index.html'])
        const files = Object.values(bundle)
          .filter(isShell)
          .map(({ fileName }) => `/${fileName}`)
        files.sort()
        files.push(...copied.map((name) => `/${name}`))
        const version = createHash('sha256').update(JSON.stringify(files)).update(page)
        for (const name of copied) version.update(readFileSync(here(`../public/${name}`)))
        const shell = {
          version: version.digest('hex').slice(0, 16),
          page: '/offline',
          entry: /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? '',
          files,
        }
        if (shell.entry === '') this.error('index.html names no module.')
        const { code } = await transformWithOxc(readFileSync(here('sw.ts'), 'utf8'), 'sw.ts')
        const source = `const SHELL = ${JSON.stringify(shell)}\n${code}`
        this.emitFile({ type: 'asset', fileName: 'sw.js', source })
      },
    },
  }
}
