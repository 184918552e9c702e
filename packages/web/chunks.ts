import { fileURLToPath } from 'node:url'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const member = ['src/pages/dashboard/Dashboard.tsx', 'src/app/appClient.ts']

/** The entry modules of each screen. Modules that the same screens load form one chunk. */
const screens = {
  app: ['index.html'],
  console: ['founder.html'],
  landing: ['src/pages/Landing.tsx'],
  auth: ['src/pages/Auth.tsx'],
  member,
  // `member`, and what loads once it is shown; some only with an open conversation.
  later: [
    ...member,
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

/** Not counted as a user of the texts that it imports: English readers never load it. */
const translations = here('src/i18n/translations.ts')

/** Entry modules of the HTML pages. */
const htmlEntries = new Set(['src/main.tsx', 'src/founder/main.tsx'].map(here))

interface Group {
  name: string
  /** A module imports only modules of its own chunk and of those with a higher rank. */
  rank: number
}
const rankCount = 21

/** Maps each entry module (of an HTML page or a dynamic import) to all modules that it loads statically. */
function modulesByEntry(chunks: Rolldown.OutputChunk[], importsOf: (id: string) => string[]): Map<string, Set<string>> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const collect = (chunk: Rolldown.OutputChunk, files = new Set<string>(), modules = new Set<string>()) => {
    if (files.has(chunk.fileName)) return modules
    files.add(chunk.fileName)
    // Chunks do not list style sheets, so take them from the imports of each module.
    for (const id of chunk.moduleIds)
      for (const each of [id, ...importsOf(id).filter((path) => path.endsWith('.css'))]) modules.add(each)
    for (const file of chunk.imports) {
      const imported = byFile.get(file)
      if (imported) collect(imported, files, modules)
    }
    return modules
  }
  return new Map(
    chunks.flatMap((chunk) =>
      (chunk.isEntry || chunk.isDynamicEntry) && chunk.facadeModuleId ? [[chunk.facadeModuleId, collect(chunk)]] : [],
    ),
  )
}

function plan(chunks: Rolldown.OutputChunk[], importsOf: (id: string) => string[]): (id: string) => Group | null {
  const modulesOf = modulesByEntry(chunks, importsOf)
  const modulesOfScreen = (name: Screen) =>
    screens[name].flatMap((path) => {
      const modules = modulesOf.get(here(path))
      if (!modules) throw new Error(`No entry module ${path}: update the screens in chunks.ts.`)
      return [...modules]
    })
  const byScreen = new Map(names.map((name) => [name, new Set(modulesOfScreen(name))]))
  /** By module: how many entry modules load it, and how many of those are pages. */
  const users = new Map<string, { entries: number; pages: number }>()
  for (const [entry, modules] of modulesOf)
    for (const id of entry === translations ? [] : modules) {
      const { entries, pages } = users.get(id) ?? { entries: 0, pages: 0 }
      users.set(id, { entries: entries + 1, pages: pages + Number(entry.startsWith(here('src/pages/'))) })
    }
  return (id) => {
    const { entries, pages } = users.get(id) ?? { entries: 0, pages: 0 }
    if (htmlEntries.has(id) || entries === 0 || (entries === 1 && modulesOf.has(id))) return null
    const loadedBy = names.filter((name) => byScreen.get(name)?.has(id))
    if (loadedBy.includes('app'))
      return loadedBy.includes('console') ? { name: 'base', rank: 20 } : { name: 'app', rank: 19 }
    const isText = modulesOf.get(translations)?.has(id)
    const isLoadedLater = loadedBy.every((name) => name === 'console')
    if (isLoadedLater && !isText && pages < 2 - loadedBy.length) return null
    // Texts that no page needs get a chunk of their own: a dialog or the viewer then does not load the texts of all
    // pages.
    const later = isText && pages === 0 ? 'dialogs' : 'pages'
    const name = [...loadedBy, ...(isLoadedLater ? [later] : [])].join('-')
    return isText ? { name: `texts-${name}`, rank: 10 + loadedBy.length } : { name, rank: loadedBy.length }
  }
}

/**
 * Groups the modules that the same screens load into one chunk. Rolldown's own grouping does not keep the budgets of
 * scripts/sizes.mjs, because it knows entry modules but not which of them a screen loads together: with `entriesAware`
 * the dashboard took 65 files (of 25), and with an `entriesAwareMergeThreshold` of 8 KB it took 247 KB (of 200 KB) and
 * the landing page's own chunk was merged away. The modules of a screen after tree shaking are known only once bundled,
 * so buildStart bundles once to find out and the real build follows.
 */
export function chunks(config: InlineConfig): Plugin {
  let groupOf: ((id: string) => Group | null) | undefined
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: Array.from({ length: rankCount }, (_, rank) => ({
                priority: rank,
                name: (id: string) => {
                  const group = groupOf?.(id)
                  return group?.rank === rank ? group.name : null
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
          groupOf = plan(built, (id) => [...(this.getModuleInfo(id)?.importedIds ?? [])])
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
