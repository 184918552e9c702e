import { execFile } from 'node:child_process'
import { cp, glob, mkdir, readFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join, matchesGlob, relative } from 'node:path'
import { promisify } from 'node:util'

interface Instruction {
  name: string
  text: string
}

export interface Image {
  /** Folder that stands for / of the image. */
  root: string
  workdir: string
  env: Record<string, string>
  user: string
  volumes: string[]
  command: string[]
  healthcheck: string[]
}

/** The instructions of a Dockerfile, with arguments replaced. */
function readInstructions(text: string): Instruction[] {
  const lines = text.replace(/\\\n/g, ' ').split('\n')
  const args = new Map<string, string>()
  const fill = (line: string) => line.replace(/\$\{(\w+)\}/g, (_all, name: string) => args.get(name) ?? '')
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      if (name === 'ARG') args.set(rest.slice(0, rest.indexOf('=')), rest.slice(rest.indexOf('=') + 1))
      return { name, text: fill(rest).trim() }
    })
}

/** Whether .dockerignore excludes a path from the build: the last pattern that matches it or a folder above decides. */
function createIgnored(patterns: readonly string[]): (path: string) => boolean {
  return (path) => {
    const parts = path.split('/')
    const above = parts.map((_part, at) => parts.slice(0, at + 1).join('/'))
    let ignored = false
    for (const pattern of patterns) {
      const glob = pattern.replace(/^!/, '')
      if (above.some((each) => matchesGlob(each, glob))) ignored = !pattern.startsWith('!')
    }
    return ignored
  }
}

interface Stage {
  name: string
  root: string
  workdir: string
  image: Omit<Image, 'root' | 'workdir'>
}

const json = (text: string) => JSON.parse(text) as string[]

/**
 * Executes a Dockerfile without a daemon: each stage is a folder below `into`, FROM copies an earlier stage or starts
 * empty, and RUN uses this machine's Node in place of the image's. Returns the last stage.
 */
export async function buildImage(project: string, into: string): Promise<Image> {
  const instructions = readInstructions(await readFile(join(project, 'Dockerfile'), 'utf8'))
  const patterns = (await readFile(join(project, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isIgnored = createIgnored(patterns)
  const stages: Stage[] = []

  async function begin(text: string): Promise<void> {
    const [from = '', , name = `${stages.length}`] = text.split(/\s+/)
    const root = join(into, `stage-${name}`)
    const base = stages.find((stage) => stage.name === from)
    await mkdir(root, { recursive: true })
    if (base !== undefined) await cp(base.root, root, { recursive: true, verbatimSymlinks: true })
    const image = base?.image ?? { env: {}, user: 'root', volumes: [], command: [], healthcheck: [] }
    stages.push({ name, root, workdir: base?.workdir ?? '/', image: structuredClone(image) })
  }

  /** The project's files and folders that the words of a COPY name; a word may be a pattern, such as docs/*.md. */
  async function matches(words: readonly string[]): Promise<string[]> {
    const found: string[] = []
    for (const word of words) {
      const before = found.length
      for await (const path of glob(word, { cwd: project })) found.push(path)
      if (found.length === before) throw new Error(`${word} matches no file of the project`)
    }
    return found
  }

  async function copy(stage: Stage, text: string): Promise<void> {
    const words = text.split(/\s+/)
    const from = words[0]?.startsWith('--from=') === true ? words.shift()?.slice('--from='.length) : undefined
    const source = stages.find(({ name }) => name === from)
    const target = words.pop() as string
    const paths = source === undefined ? await matches(words) : words
    for (const word of paths) {
      const path = join(source?.root ?? project, word)
      const isFolder = target.endsWith('/') || target === '.' || target === './'
      const to = join(stage.root, stage.workdir, target, isFolder ? basename(word) : '')
      await mkdir(dirname(to), { recursive: true })
      const filter = (each: string) => {
        const inside = relative(project, each)
        return source !== undefined || inside === '' || !isIgnored(inside)
      }
      if (source === undefined && isIgnored(word)) throw new Error(`.dockerignore keeps ${word} from the build`)
      await cp(path, to, { recursive: true, verbatimSymlinks: true, filter })
    }
  }

  async function run(stage: Stage, text: string): Promise<void> {
    // Skip the image's own users and folders, which are not part of the build.
    if (text.startsWith('mkdir -p /data')) return
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
    const env: NodeJS.ProcessEnv = { ...process.env, ...stage.image.env, PATH: path }
    // With these variables, Vite would build for tests.
    delete env['NODE_ENV']
    delete env['VITEST']
    await promisify(execFile)('sh', ['-ec', text], { cwd: join(stage.root, stage.workdir), env, maxBuffer: 1e8 })
  }

  for (const { name, text } of instructions) {
    if (name === 'FROM') await begin(text)
    const stage = stages.at(-1)
    if (stage === undefined || name === 'FROM') continue
    if (name === 'WORKDIR') {
      stage.workdir = text
      await mkdir(join(stage.root, text), { recursive: true })
    } else if (name === 'COPY') await copy(stage, text)
    else if (name === 'RUN') await run(stage, text)
    else if (name === 'ENV')
      for (const pair of text.split(/\s+/))
        stage.image.env[pair.split('=')[0] as string] = pair.slice(pair.indexOf('=') + 1)
    else if (name === 'USER') stage.image.user = text
    else if (name === 'VOLUME') stage.image.volumes.push(text)
    else if (name === 'CMD') stage.image.command = json(text)
    else if (name === 'HEALTHCHECK') stage.image.healthcheck = json(text.slice(text.indexOf('CMD') + 3))
    else if (!['EXPOSE', 'STOPSIGNAL'].includes(name)) throw new Error(`what ${name} does is not known here`)
  }
  const last = stages.at(-1) as Stage
  return { root: last.root, workdir: last.workdir, ...last.image }
}
