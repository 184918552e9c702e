import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { type Plugin, runnerImport } from 'vite'
import { type Language, languages, languageTag } from '@privity/contract/languages'

const landing = 'src/pages/Landing.tsx'

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

interface Rendered {
  body: string
  description: string
  noscript: string
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Style sheets of a chunk, after those of its imports. */
function stylesWith(manifest: Record<string, Chunk>, key: string): string[] {
  const { css = [], imports = [] } = manifest[key] ?? {}
  return [...imports.flatMap((each) => stylesWith(manifest, each)), ...css]
}

/** Style sheets of the application and the landing page, in order, and the landing page's code. */
function filesOf(manifest: Record<string, Chunk>) {
  const keys: string[] = []
  const visit = (key: string) => {
    if (keys.includes(key) || key === 'index.html') return
    for (const each of manifest[key]?.imports ?? []) visit(each)
    keys.push(key)
  }
  visit(landing)
  const chunks = keys.map((key) => manifest[key] as Chunk)
  const own = stylesWith(manifest, 'index.html')
  const sheets = chunks.flatMap(({ css = [] }) => css)
  return { sheets: [...new Set([...own, ...sheets])], code: chunks.map(({ file }) => file) }
}

/** Joins all styles of the landing page into one file: each further file would delay the first paint. */
function joinStyles(outDir: string, sheets: string[]): string {
  const styles = sheets.map((file) => readFileSync(join(outDir, file), 'utf8')).join('\n')
  const name = `assets/landing-${createHash('sha256').update(styles).digest('base64url').slice(0, 8)}.css`
  writeFileSync(join(outDir, name), styles)
  return name
}

interface Files {
  styles: string
  /** The style sheets that `styles` contains. */
  sheets: string[]
  /** Scripts that hydrate the page; the entry script comes first. */
  code: string[]
}

/**
 * Removes the application's scripts from the head, where they would delay the first paint, and returns their addresses
 * for public/theme.js, which starts them once the page is shown.
 */
function withoutScripts(shell: string): { head: string; code: string[] } {
  const entry = /<script type="module"[^>]* src="([^"]+)"><\/script>/.exec(shell)?.[1]
  if (entry === undefined) throw new Error('index.html names no module.')
  const preloaded = [...shell.matchAll(/<link rel="modulepreload"[^>]* href="([^"]+)">/g)].map(([, href = '']) => href)
  const head = shell
    .replace(/\s*<script type="module"[^>]*><\/script>/, '')
    .replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, '')
    .replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, '')
  return { head, code: [entry, ...preloaded] }
}

function compose(shell: string, files: Files, language: Language, { body, description, noscript }: Rendered): string {
  const { head: bare, code } = withoutScripts(shell)
  const all = [...new Set([...code, ...files.code.map((file) => `/${file}`)])]
  const [, title = ''] = /<title>(.*?)<\/title>/.exec(body) ?? []
  const named = (name: string, content: string) => `<meta property="og:${name}" content="${content}" />`
  const head = [
    named('type', 'website'),
    named('site_name', 'Privity'),
    named('title', title),
    named('description', escape(description)),
    named('locale', languageTag(language).replace('-', '_')),
    '<meta name="twitter:card" content="summary" />',
    `<link rel="stylesheet" href="/${files.styles}">`,
    // The application treats a disabled sheet as loaded, so it does not load each again and cause a new layout.
    ...files.sheets.map((file) => `<link rel="stylesheet" href="/${file}" disabled>`),
  ]
  const page = bare
    .replace('<html lang="en">', `<html lang="${language}" data-page="landing" data-code="${all.join(' ')}">`)
    .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`)
    .replace(/(<meta\s+name="description"\s+content=")[^"]*/, (_, start: string) => start + escape(description))
    .replace(/<meta name="robots"[^>]*>/, '<meta name="robots" content="index, follow" />')
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${body.replace(/<title>.*?<\/title>/, '')}</div>`)
    .replace(/(<noscript\s*>)[^<]*(<\/noscript\s*>)/, (_, open: string, close: string) => open + noscript + close)
  for (const part of [title, '<div id="root"><', 'index, follow', noscript])
    if (part === '' || !page.includes(part)) throw new Error(`The landing page lacks ${part || 'its title'}.`)
  return page
}

/** Compresses the assets once at build time, at the highest level, so that the server need not. */
function pack(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const content = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content))
  }
}

/** Ignores style sheets: rendering the markup needs none. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0no-style' : undefined),
  load: (id) => (id === '\0no-style' ? '' : undefined),
}

/** After the client's build, renders the landing page to rendered/landing.LANGUAGE.html and compresses the assets. */
export function prerenderLanding(): Plugin {
  let root = ''
  let outDir = ''
  let written = false
  return {
    name: 'prerender-landing',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = join(config.root, config.build.outDir)
    },
    writeBundle() {
      written = true
    },
    async closeBundle() {
      // Vite also calls closeBundle after a failed build; return so that the build's own error is reported.
      if (!written) return
      const manifest = JSON.parse(readFileSync(join(outDir, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>
      const shell = readFileSync(join(outDir, 'index.html'), 'utf8')
      const { module } = await runnerImport<{ landing: Record<Language, Rendered> }>('/src/prerender.tsx', {
        root,
        configFile: false,
        plugins: [withoutStyles, react()],
        logLevel: 'warn',
      })
      const { sheets, code } = filesOf(manifest)
      const files = { styles: joinStyles(outDir, sheets), sheets, code }
      mkdirSync(join(outDir, 'rendered'), { recursive: true })
      for (const language of languages) {
        const page = compose(shell, files, language, module.landing[language])
        writeFileSync(join(outDir, 'rendered', `landing.${language}.html`), page)
      }
      pack(join(outDir, 'assets'))
    },
  }
}
