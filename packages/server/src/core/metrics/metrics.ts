/**
 * Metrics of this process, in the text format of Prometheus (version 0.0.4). features/metrics registers what is read at
 * each scrape; counters and histograms are registered where the counted event happens, except
 * privity_messages_stored_total, which app.ts adds to the count of sent messages.
 */

/** Values come from a small, fixed set: never a person's name, an address or an id. */
export type Labels = Readonly<Record<string, string>>

export interface Counter {
  add(by?: number): void
}

export interface Histogram {
  observe(value: number): void
}

export interface Reading {
  labels?: Labels
  value: number
}

type Read = () => readonly Reading[] | number | Promise<readonly Reading[] | number>

export interface Metrics {
  /** Returns the counter for some labels; hot paths get it once and keep it. */
  counter(name: string, help: string): (labels?: Labels) => Counter
  /** `bounds` are the upper ends of the buckets, ascending. */
  histogram(name: string, help: string, bounds: readonly number[]): (labels?: Labels) => Histogram
  /** Calls `read` at each scrape; if that fails, leaves the metric out. `type` is 'counter' if the value only grows. */
  readAtScrape(name: string, help: string, read: Read, type?: 'gauge' | 'counter'): void
  write(): Promise<string>
}

interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  lines(): Promise<string[]>
}

const escapeValue = (text: string) => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"')
const escapeHelp = (text: string) => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeValue(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

/** Keeps one instance for each set of labels. */
function createByLabels<T>(create: (labels: Labels) => T): { of(labels?: Labels): T; all(): Iterable<T> } {
  const known = new Map<string, T>()
  return {
    of(labels = {}) {
      const key = JSON.stringify(labels)
      let one = known.get(key)
      if (one === undefined) known.set(key, (one = create(labels)))
      return one
    },
    all: () => known.values(),
  }
}

function createCounter(name: string, labels: Labels) {
  let total = 0
  return {
    add(by = 1) {
      total += by
    },
    lines: () => [sample(name, labels, total)],
  }
}

function createHistogram(name: string, labels: Labels, bounds: readonly number[]) {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    observe(value: number) {
      let i = 0
      while (i < bounds.length && value > (bounds[i] as number)) i += 1
      counts[i] = (counts[i] as number) + 1
      sum += value
    },
    lines() {
      let total = 0
      const lines = [...bounds, Number.POSITIVE_INFINITY].map((bound, i) => {
        total += counts[i] as number
        return sample(
          `${name}_bucket`,
          { ...labels, le: bound === Number.POSITIVE_INFINITY ? '+Inf' : `${bound}` },
          total,
        )
      })
      return [...lines, sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, total)]
    },
  }
}

export function createMetrics(onError: (error: unknown, name: string) => void = () => {}): Metrics {
  const families = new Map<string, Family>()

  function register(family: Family): void {
    if (families.has(family.name)) throw new Error(`there are two metrics called ${family.name}`)
    families.set(family.name, family)
  }

  async function describe({ name, help, type, lines }: Family): Promise<string[]> {
    try {
      const found = await lines()
      return found.length === 0 ? [] : [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...found]
    } catch (error) {
      onError(error, name)
      return []
    }
  }

  return {
    counter(name, help) {
      const children = createByLabels((labels) => createCounter(name, labels))
      register({
        name,
        help,
        type: 'counter',
        lines: async () => [...children.all()].flatMap((child) => child.lines()),
      })
      return children.of
    },
    histogram(name, help, bounds) {
      const children = createByLabels((labels) => createHistogram(name, labels, bounds))
      register({
        name,
        help,
        type: 'histogram',
        lines: async () => [...children.all()].flatMap((child) => child.lines()),
      })
      return children.of
    },
    readAtScrape(name, help, read, type = 'gauge') {
      const lines = async () => {
        const found = await read()
        const readings = typeof found === 'number' ? [{ value: found }] : found
        return readings.map(({ labels = {}, value }) => sample(name, labels, value))
      }
      register({ name, help, type, lines })
    },
    async write() {
      const described = await Promise.all([...families.values()].map(describe))
      return `${described.flat().join('\n')}\n`
    },
  }
}
