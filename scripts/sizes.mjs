import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { inProject, Refusal } from './project.mjs'

const dist = (...path) => inProject('packages', 'web', 'dist', ...path)
const kilobyte = 1024

/**
 * Budgets: gzipped bytes of JavaScript, and files, that a browser loads before a screen works. `page` defaults to
 * index.html. The worker of PDFs, which Vite's manifest does not list, comes on top: about 370 KB.
 */
const budgets = [
  { screen: 'landing', modules: ['src/pages/Landing.tsx'], maxBytes: 130 * kilobyte, maxFiles: 16 },
  { screen: 'sign-in and sign-up', modules: ['src/pages/Auth.tsx'], maxBytes: 130 * kilobyte, maxFiles: 25 },
  {
    screen: 'dashboard, with the client',
    modules: ['src/pages/dashboard/Dashboard.tsx', 'src/app/appClient.ts'],
    maxBytes: 200 * kilobyte,
    maxFiles: 25,
  },
  {
    screen: 'viewer of images and text, with the dashboard',
    modules: ['src/pages/dashboard/ChatPane.tsx', 'src/features/files/viewer/Viewer.tsx', 'src/app/appClient.ts'],
    maxBytes: 285 * kilobyte,
    maxFiles: 40,
  },
  {
    screen: 'viewer of PDFs, with the dashboard',
    modules: ['src/pages/dashboard/ChatPane.tsx', 'src/features/files/viewer/PdfView.tsx', 'src/app/appClient.ts'],
    maxBytes: 405 * kilobyte,
    maxFiles: 41,
  },
  { screen: 'founder', page: 'founder.html', modules: [], maxBytes: 260 * kilobyte, maxFiles: 28 },
]

/** Keys of Vite's manifest that load together with these modules: the modules themselves and their static imports. */
function loadedWith(manifest, modules, seen = new Set()) {
  for (const key of modules) {
    if (seen.has(key)) continue
    if (!manifest[key]) throw new Refusal(`Vite's manifest has no ${key}: tell scripts/sizes.mjs what replaced it.`)
    seen.add(key)
    loadedWith(manifest, manifest[key].imports ?? [], seen)
  }
  return seen
}

const gzipped = (file) => gzipSync(readFileSync(dist(file))).length

/**
 * Checks each budget and returns the lines to show. Throws if a budget is exceeded or a member's screen loads founder
 * code.
 */
export function checkSizes() {
  const manifest = JSON.parse(readFileSync(dist('.vite', 'manifest.json'), 'utf8'))
  const lines = []
  const exceeded = []
  for (const { screen, page = 'index.html', modules, maxBytes, maxFiles } of budgets) {
    const keys = [...loadedWith(manifest, [page, ...modules])]
    const files = [...new Set(keys.map((key) => manifest[key].file))].filter((file) => file.endsWith('.js'))
    const total = files.reduce((sum, file) => sum + gzipped(file), 0)
    const size = `${(total / kilobyte).toFixed(1)} KB of at most ${maxBytes / kilobyte} KB`
    const line = `${screen}: ${size}, in ${files.length} files of at most ${maxFiles}`
    lines.push(line)
    if (total > maxBytes || files.length > maxFiles) exceeded.push(line)
    const founder = page === 'index.html' ? keys.filter((key) => /founder/i.test(key)) : []
    if (founder.length > 0) exceeded.push(`${screen} loads founder code: ${founder.join(', ')}`)
  }
  if (exceeded.length > 0) throw new Refusal(`The web client is over its size:\n  ${exceeded.join('\n  ')}`)
  return lines
}
