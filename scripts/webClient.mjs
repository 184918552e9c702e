import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { runTool } from './child.mjs'
import { inProject, Refusal, root } from './project.mjs'

const sources = ['web', 'client', 'e2ee', 'contract'].map((name) => inProject('packages', name))
const notSources = new Set(['node_modules', 'dist', 'test', 'tsconfig.json'])
const page = inProject('packages', 'web', 'dist', 'index.html')
/** Hash of the sources of the last build, stored beside Vite's manifest. */
const stamp = inProject('packages', 'web', 'dist', '.vite', 'sources.sha256')

function* filesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (notSources.has(entry.name)) continue
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* filesUnder(path)
    else yield path
  }
}

function sourcesHash() {
  const hash = createHash('sha256')
  const files = [
    ...sources.flatMap((folder) => [...filesUnder(folder)]),
    ...[...filesUnder(inProject('docs'))].filter((path) => /\/threat-model[.\w]*\.md$/.test(path)),
    inProject('package-lock.json'),
  ]
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/** Builds the web client, unless the last build was made from exactly these sources. */
export async function buildWebClient() {
  const hash = sourcesHash()
  if (existsSync(page) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  console.log('Building the web client …')
  const { code, output } = await runTool('vite', ['build', 'packages/web', '--logLevel', 'warn'], { quiet: true })
  if (code !== 0) {
    console.error(output)
    throw new Refusal('The web client did not build. What Vite said is above.')
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}
