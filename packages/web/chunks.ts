import { fileURLToPath } from 'node:url'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Entry modules of each screen with their static imports. Modules under one name are always loaded together. */
const screens = {
  app: ['index.html'],
  console: ['founder.html'],
  landing: ['src/pages/Landing.tsx'],
  auth: ['src/pages/Auth.tsx'],
  member: ['src/pages/dashboard/Dashboard.tsx', 'src/app/appClient.ts'],
  // Loaded once the dashboard is shown, some only with an open conversation.
  later: [
    'src/pages/member/LiveAccount.tsx',
    'src/pages/notices/Notices.tsx',
    'src/pages/MemberDeterrents.tsx',
    'src/pages/member/UserMenu.tsx',
    'src/pages/dashboard/ChatPane.tsx',
    'src/features/notifications/NotificationPanel.tsx',
    'src/features/files/upload/UploadOptions.tsx',
    'src/ui/overlay/Tooltip.tsx',
  ],
}
type Screen = keyof typeof screens
const names = Object.keys(screens) as Screen[]

/** Imports every text, but English readers never load it, so it is not counted as a user of modules. */
const translations = here('src/i18n/translations.ts')

/** Entry modules of the HTML pages. */
const mains = new Set(['src/main.tsx', 'src/founder/main.tsx'].map(here))

interface Place {
  name: string
  /** A module imports only modules of its own chunk and of those with a higher rank. */
  rank: number
}
const ranks = 21

/** Maps each entry module (of an HTML page or a dynamic import) to all modules that it loads statically. */
function modulesByBegin(chunks: Rolldown.OutputChunk[], importsOf: (id: string) => string[]): Map<string, Set<string>> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const gather = (chunk: Rolldown.OutputChunk, files = new Set<string>(), modules = new Set<string>()) => {
    if (files.has(chunk.fileName)) return modules
    files.add(chunk.fileName)
    // Chunks do not list style sheets, so take them from the imports of each module.
    for (const id of chunk.moduleIds)
      for (const each of [id, ...importsOf(id).filter((path) => path.endsWith('.css'))]) modules.add(each)
    for (const file of chunk.imports) {
      const imported = byFile.get(file)
      if (imported) gather(imported, files, modules)
    }
    return modules
  }
  return new Map(
    chunks.flatMap((chunk) =>
      (chunk.isEntry || chunk.isDynamicEntry) && chunk.facadeModuleId ? [[chunk.facadeModuleId, gather(chunk)]] : [],
    ),
  )
}

function plan(chunks: Rolldown.OutputChunk[], importsOf: (id: string) => string[]): (id: string) => Place | null {
  const begins = modulesByBegin(chunks, importsOf)
  const screenOf = (name: Screen) =>
    screens[name].flatMap((path) => {
      const modules = begins.get(here(path))
      if (!modules) throw new Error(`Nothing is imported later as ${path}: tell chunks.ts what replaced it.`)
      return [...modules]
    })
  const first = new Map(names.map((name) => [name, new Set(screenOf(name))]))
  /** Per module: how many entry modules load it, and how many of those are pages. */
  const wanted = new Map<string, { by: number; byPages: number }>()
  for (const [begin, modules] of begins)
    for (const id of begin === translations ? [] : modules) {
      const { by, byPages } = wanted.get(id) ?? { by: 0, byPages: 0 }
      wanted.set(id, { by: by + 1, byPages: byPages + Number(begin.startsWith(here('src/pages/'))) })
    }
  return (id) => {
    const { by, byPages } = wanted.get(id) ?? { by: 0, byPages: 0 }
    if (mains.has(id) || by === 0 || (by === 1 && begins.has(id))) return null
    const of = names.filter((name) => first.get(name)?.has(id))
    if (of.includes('app')) return of.includes('console') ? { name: 'base', rank: 20 } : { name: 'app', rank: 19 }
    const isText = begins.get(translations)?.has(id)
    const isLate = of.every((name) => name === 'console')
    if (isLate && !isText && byPages < 2 - of.length) return null
    const name = [...of, ...(isLate ? ['pages'] : [])].join('-')
    return isText ? { name: `texts-${name}`, rank: 10 + of.length } : { name, rank: of.length }
  }
}

/**
 * Groups modules that are loaded together into one chunk. By default the bundler makes one chunk per set of pages that
 * share a module, about a hundred for one screen. The modules that a page needs after tree shaking are known only after
 * bundling, so buildStart bundles once to find out and the real build follows.
 */
export function chunks(config: InlineConfig): Plugin {
  let placeOf: ((id: string) => Place | null) | undefined
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: Array.from({ length: ranks }, (_, rank) => ({
                priority: rank,
                name: (id: string) => {
                  const place = placeOf?.(id)
                  return place?.rank === rank ? place.name : null
                },
              })),
            },
          },
        },
      },
    }),
    async buildStart() {
      const first: Plugin = {
        name: 'chunks-plan',
        generateBundle(_options, bundle) {
          const built = Object.values(bundle).filter((file) => file.type === 'chunk')
          placeOf = plan(built, (id) => [...(this.getModuleInfo(id)?.importedIds ?? [])])
        },
      }
      await build({
        ...config,
        configFile: false,
        root: here('.'),
        logLevel: 'error',
        plugins: [config.plugins, first],
        build: {
          write: false,
          minify: false,
          // Without this, the bundler may put shared modules into the chunk of one of their importers.
          rolldownOptions: { ...config.build?.rolldownOptions, experimental: { chunkOptimization: false } },
        },
      })
    },
  }
}
