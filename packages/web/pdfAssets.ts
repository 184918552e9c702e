import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const library = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))

/** Character maps for text in Asian scripts, decoders of image formats and colour profiles, and their licences. */
const wanted = [
  /^cmaps\//,
  /^wasm\/LICENSE_(JBIG2|OPENJPEG|PDFJS_JBIG2|PDFJS_OPENJPEG|PDFJS_QCMS|QCMS)$/,
  /^wasm\/(jbig2|openjpeg|qcms_bg)\.wasm$/,
]

/** Emits what the worker of pdfjs-dist loads by name, in a folder named after its version. */
export function pdfAssets(): Plugin {
  return {
    name: 'pdf-assets',
    apply: 'build',
    generateBundle() {
      const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { version: string }
      for (const folder of ['cmaps', 'wasm'])
        for (const name of readdirSync(join(library, folder))) {
          const path = `${folder}/${name}`
          if (!wanted.some((pattern) => pattern.test(path))) continue
          const source = readFileSync(join(library, path))
          this.emitFile({ type: 'asset', fileName: `assets/pdf-${version}/${path}`, source })
        }
    },
  }
}
